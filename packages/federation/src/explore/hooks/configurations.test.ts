import { describe, expect, it } from 'vitest';
import { configurationFaults } from './configuration-faults.ts';
import { readHooks } from './configurations.ts';
import { client, exploring, interpreting, interpretRule, rule } from './testing/sample-configurations.ts';

describe('readHooks', () => {
  it('EXP-1: an exploring configuration with its defaults', () => {
    expect(readHooks(exploring({}))).toEqual([
      {
        configuration: 'example',
        name: 'foo.example.com',
        codec: 'explore',
        client: { at: 'url', url: 'https://hooks.example.com/explore' },
        rules: [
          {
            operations: ['replica'],
            groups: ['a.example'],
            versions: ['v1'],
            what: { by: 'resource', resources: ['foos'], scope: '*' },
          },
        ],
        failurePolicy: 'Fail',
        timeoutSeconds: 10,
        version: 'v1alpha1',
      },
    ]);
  });

  it('EXP-2: an interpreter configuration acts as Fail whatever it has, and matches kinds', () => {
    const [hook] = readHooks(interpreting({ failurePolicy: 'Ignore', timeoutSeconds: 3 }));
    expect(hook).toMatchObject({ codec: 'interpret', failurePolicy: 'Fail', timeoutSeconds: 3 });
    expect(hook?.rules[0]).toEqual({
      operations: ['retaining'],
      groups: ['a.example'],
      versions: ['v1'],
      what: { by: 'kind', kinds: ['Foo'] },
    });
  });

  it('EXP-5: Ignore is read, a caBundle is decoded, a service without a port is 443', () => {
    const caBundle = Buffer.from('PEM').toString('base64');
    const service = { namespace: 'hooks', name: 'foo', path: '/x' };
    const [hook] = readHooks(exploring({ failurePolicy: 'Ignore', clientConfig: { service, caBundle } }));
    expect(hook?.failurePolicy).toBe('Ignore');
    expect(hook?.client).toEqual({ at: 'service', namespace: 'hooks', name: 'foo', port: 443, path: '/x', ca: 'PEM' });
  });

  it.each([
    ['explore', exploring({ rules: [{ ...rule, operations: ['*'] }] }), 8, true],
    ['interpret', interpreting({ rules: [{ ...interpretRule, operations: ['*'] }] }), 7, false],
  ])('EXP-1, EXP-2: * is all operations that %s has', (_, configuration, count, packs) => {
    const [hook] = readHooks(configuration);
    expect(hook?.rules[0]?.operations).toHaveLength(count);
    expect(hook?.rules[0]?.operations.includes('packing')).toBe(packs);
  });

  it('EXP-2: InterpretComponent and Prune are operations of nobody', () => {
    const operations = ['InterpretComponent', 'Prune', 'InterpretHealth'];
    const [hook] = readHooks(interpreting({ rules: [{ ...interpretRule, operations }] }));
    expect(hook?.rules[0]?.operations).toEqual(['healthy']);
  });

  it.each([
    [['v2', 'v1alpha1', 'v1beta1'], 'v1alpha1'],
    [['v2'], undefined],
    [undefined, undefined],
  ])('EXP-6: of the versions %j the product speaks %s', (exploreReviewVersions, version) => {
    expect(readHooks(exploring({ exploreReviewVersions }))[0]?.version).toBe(version);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['neither', {}],
    ['both', { ...client, service: { namespace: 'a', name: 'b' } }],
    ['a caBundle that is not base64', { ...client, caBundle: '$CA_BUNDLE' }],
    ['a caBundle that is no text', { ...client, caBundle: 5 }],
    ['a service without a name', { service: { namespace: 'a' } }],
  ])('EXP-5: a stored clientConfig with %s cannot be called', (_, clientConfig) => {
    expect(readHooks(exploring({ clientConfig }))[0]?.client).toBeUndefined();
  });

  it.each([
    { ...exploring(), webhooks: 'none' },
    { ...exploring(), webhooks: [null, 3] },
    { ...exploring({}), apiVersion: 'example.com/v1' },
    { ...exploring({}), kind: 'ConfigMap' },
  ])('%j has no hooks', (configuration) => {
    expect(readHooks(configuration)).toEqual([]);
    expect(() => configurationFaults(configuration)).not.toThrow();
  });
});

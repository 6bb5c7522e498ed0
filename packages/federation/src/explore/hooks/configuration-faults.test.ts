import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../api/objects.ts';
import { configurationFaults } from './configuration-faults.ts';
import { client, exploring, type Fields, interpreting, interpretRule, rule } from './testing/sample-configurations.ts';

describe('configurationFaults', () => {
  it.each([
    ['the example of the design document', exploring({ rules: [{ ...rule, apiVersions: ['*'], scope: 'Cluster' }] })],
    ['Karmada’s', interpreting({ timeoutSeconds: 3 })],
    ['InterpretComponent', interpreting({ rules: [{ ...interpretRule, operations: ['InterpretComponent'] }] })],
    ['several versions', exploring({ exploreReviewVersions: ['v2', 'v1alpha1'] })],
    ['a name with a dot at its end', exploring({ name: 'foo.example.com.' })],
    ['the core group', exploring({ rules: [{ ...rule, apiGroups: [''] }] })],
    ['no rules', exploring({ rules: undefined })],
    ['a service', exploring({ clientConfig: { service: { namespace: 'a', name: 'b', path: '/a/b.c/', port: 1 } } })],
    ['two webhooks', exploring({}, { name: 'bar.example.com' })],
  ])('EXP-6: %s has none', (_, configuration) => {
    expect(configurationFaults(configuration)).toEqual([]);
  });

  const url = (text: unknown) => exploring({ clientConfig: { url: text } });
  const service = (more: Fields) => exploring({ clientConfig: { service: { namespace: 'a', name: 'b', ...more } } });
  const ruled = (more: Fields) => exploring({ rules: [{ ...rule, ...more }] });
  const at = 'webhooks[0]';

  it.each<[string, AnyObject, string, string, string]>([
    ['a name', exploring({ name: '' }), 'Required', `${at}.name`, 'Required value'],
    ['a full name', exploring({ name: 'foo' }), 'Invalid', `${at}.name`, 'Invalid value: "foo": should be a domain'],
    [
      'a domain',
      exploring({ name: 'Foo.example' }),
      'Invalid',
      `${at}.name`,
      'Invalid value: "Foo.example": a lowercase',
    ],
    ['a unique name', exploring({}, {}), 'Duplicate', 'webhooks[1].name', 'Duplicate value: "foo.example.com"'],
    [
      'a url or service',
      exploring({ clientConfig: {} }),
      'Required',
      `${at}.clientConfig`,
      'Required value: exactly one',
    ],
    [
      'one of them',
      exploring({ clientConfig: { ...client, service: {} } }),
      'Required',
      `${at}.clientConfig`,
      'Required',
    ],
    [
      'https',
      url('http://a.example'),
      'Invalid',
      `${at}.clientConfig.url`,
      `Invalid value: "http": 'https' is the only`,
    ],
    ['a URL', url('a b'), 'Required', `${at}.clientConfig.url`, 'Required value: url must be a valid URL'],
    ['a host', url('https:///x'), 'Invalid', `${at}.clientConfig.url`, 'Invalid value: "": host must be specified'],
    ['no user', url('https://me:word@a.example'), 'Invalid', `${at}.clientConfig.url`, 'Invalid value: "me": user'],
    ['no query', url('https://a.example?b=c'), 'Invalid', `${at}.clientConfig.url`, 'Invalid value: "?b=c": query'],
    ['no fragment', url('https://a.example#b'), 'Invalid', `${at}.clientConfig.url`, 'Invalid value: "#b": fragments'],
    ['a namespace', service({ namespace: '' }), 'Required', `${at}.clientConfig.service.namespace`, 'Required value'],
    [
      'a port',
      service({ port: 65_536 }),
      'Invalid',
      `${at}.clientConfig.service.port`,
      'Invalid value: 65536: port is',
    ],
    [
      'a path',
      service({ path: 'a' }),
      'Invalid',
      `${at}.clientConfig.service.path`,
      `Invalid value: "a": must start with`,
    ],
    [
      'steps',
      service({ path: '/a//b' }),
      'Invalid',
      `${at}.clientConfig.service.path`,
      'Invalid value: "/a//b": segment[1]',
    ],
    [
      'a caBundle, not shown,',
      exploring({ clientConfig: { ...client, caBundle: 'secret key!' } }),
      'Invalid',
      `${at}.clientConfig.caBundle`,
      'Invalid value: "": must be base64',
    ],
    [
      'a timeout above 0',
      exploring({ timeoutSeconds: 0 }),
      'Invalid',
      `${at}.timeoutSeconds`,
      'Invalid value: 0: the timeout',
    ],
    [
      'a timeout up to 30',
      exploring({ timeoutSeconds: 31 }),
      'Invalid',
      `${at}.timeoutSeconds`,
      'Invalid value: 31: the',
    ],
    [
      'a policy',
      exploring({ failurePolicy: 'ignore' }),
      'NotSupported',
      `${at}.failurePolicy`,
      'Unsupported value: "ignore"',
    ],
    ['operations', ruled({ operations: [] }), 'Required', `${at}.rules[0].operations`, 'Required value'],
    [
      '* alone',
      ruled({ operations: ['*', 'ExploreReplica'] }),
      'Invalid',
      `${at}.rules[0].operations`,
      `Invalid value: ["*",`,
    ],
    [
      'known operations',
      ruled({ operations: ['Retain'] }),
      'NotSupported',
      `${at}.rules[0].operations[0]`,
      'Unsupported value',
    ],
    ['groups', ruled({ apiGroups: undefined }), 'Required', `${at}.rules[0].apiGroups`, 'Required value'],
    ['versions', ruled({ apiVersions: [''] }), 'Required', `${at}.rules[0].apiVersions[0]`, 'Required value'],
    [
      '* alone in groups',
      ruled({ apiGroups: ['*', 'a'] }),
      'Invalid',
      `${at}.rules[0].apiGroups`,
      'Invalid value: ["*","a"]',
    ],
    [
      '*/* alone',
      ruled({ resources: ['a', '*/*'] }),
      'Invalid',
      `${at}.rules[0].resources`,
      'Invalid value: ["a","*/*"]',
    ],
    [
      'resources',
      ruled({ resources: undefined, kinds: ['Foo'] }),
      'Required',
      `${at}.rules[0].resources`,
      'Required value',
    ],
    [
      'a scope',
      ruled({ scope: 'namespaced' }),
      'NotSupported',
      `${at}.rules[0].scope`,
      'Unsupported value: "namespaced"',
    ],
    [
      'something else than Prune',
      interpreting({ rules: [{ ...interpretRule, operations: ['Prune'] }] }),
      'NotSupported',
      `${at}.rules[0].operations[0]`,
      'Unsupported value: "Prune": supported values: "*", "AggregateStatus", "InterpretComponent"',
    ],
    [
      'kinds',
      interpreting({ rules: [{ ...interpretRule, kinds: [] }] }),
      'Required',
      `${at}.rules[0].kinds`,
      'Required value',
    ],
    [
      'a version that is known',
      exploring({ exploreReviewVersions: ['v2'] }),
      'Invalid',
      `${at}.exploreReviewVersions`,
      'Invalid value: ["v2"]: must include at least one of v1alpha1',
    ],
    [
      'versions of its own kind',
      interpreting({ interpreterContextVersions: [], exploreReviewVersions: ['v1alpha1'] }),
      'Required',
      `${at}.interpreterContextVersions`,
      'Required value: must specify one of v1alpha1',
    ],
    [
      'versions that differ',
      exploring({ exploreReviewVersions: ['v1alpha1', 'v1alpha1'] }),
      'Invalid',
      `${at}.exploreReviewVersions[1]`,
      'Invalid value: "v1alpha1": duplicate version',
    ],
  ])('EXP-6: it needs %s', (_, configuration, reason, field, message) => {
    expect(configurationFaults(configuration)).toEqual([
      { reason: `FieldValue${reason}`, field, message: expect.stringContaining(message) },
    ]);
  });

  it('EXP-6: no password of a URL is in a message', () => {
    expect(JSON.stringify(configurationFaults(url('https://me:word@a.example')))).not.toContain('word');
  });
});

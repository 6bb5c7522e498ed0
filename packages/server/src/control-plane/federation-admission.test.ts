import type { KubeClient, KubeObject } from '@fleet/client/kube-client.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedClient, embeddedClient } from '../testing/embedded-client.ts';
import { silentLog } from '../testing/silent-log.ts';
import { installCrds } from './bootstrap.ts';

const manifests = new URL('../../../federation/manifests/', import.meta.url);
const policies = '/apis/policy.karmada.io/v1alpha1/namespaces/default/propagationpolicies';
const overrides = '/apis/policy.karmada.io/v1alpha1/namespaces/default/overridepolicies';
const clusterPolicies = '/apis/policy.karmada.io/v1alpha1/clusterpropagationpolicies';
const configurations = '/apis/config.karmada.io/v1alpha1/resourceexploringwebhookconfigurations';
const maps = '/api/v1/namespaces/default/configmaps';
const idLabel = 'propagationpolicy.karmada.io/permanent-id';
const protectedLabels = { 'resourcetemplate.karmada.io/deletion-protected': 'Always' };

let opened: EmbeddedClient[];
let on: KubeClient;
let off: KubeClient;
beforeAll(async () => {
  opened = [await embeddedClient({ federation: true }), await embeddedClient({ federation: false })];
  [on, off] = opened.map(({ client }) => client) as [KubeClient, KubeClient];
  for (const client of [on, off]) await installCrds(client, manifests, silentLog().log);
}, 60_000);
afterAll(async () => {
  for (const one of opened) await one[Symbol.asyncDispose]();
});
afterEach(async () => {
  for (const client of [on, off])
    for (const path of [policies, clusterPolicies, configurations]) await client.delete(path);
});

const deployments = { apiVersion: 'apps/v1', kind: 'Deployment' };
const policy = (spec: object = {}, metadata: object = {}) => ({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  metadata: { name: 'p', ...metadata },
  spec: { resourceSelectors: [deployments], ...spec },
});
const inBank = { resourceSelectors: [{ ...deployments, namespace: 'bank' }] };
const configuration = (hook: object) => ({
  apiVersion: 'config.karmada.io/v1alpha1',
  kind: 'ResourceExploringWebhookConfiguration',
  metadata: { name: 'c' },
  webhooks: [
    {
      name: 'a.example.com',
      clientConfig: { url: 'https://hooks.example.com/a' },
      exploreReviewVersions: ['v1alpha1'],
      ...hook,
    },
  ],
});
/** So large that another thread writes it. */
const long = { annotations: { long: 'x'.repeat(40_000) } };

describe('FED-2: the embedded control plane refuses', () => {
  it.each([
    ['', {}],
    [' on another thread', long],
  ])('a selector of another namespace%s', async (_, metadata) => {
    await expect(on.create(policies, policy(inBank, metadata))).rejects.toMatchObject({
      code: 422,
      reason: 'Invalid',
      message:
        'PropagationPolicy.policy.karmada.io "p" is invalid: spec.resourceSelectors[0].namespace: ' +
        'Invalid value: "bank": must be the policy\'s, default',
      details: { causes: [{ field: 'spec.resourceSelectors[0].namespace' }] },
    });
    const override = { ...policy(inBank), kind: 'OverridePolicy', spec: { ...inBank, overrideRules: [] } };
    await expect(on.create(overrides, override)).rejects.toMatchObject({ code: 422 });
    const cluster = { ...policy(inBank), kind: 'ClusterPropagationPolicy' };
    await expect(on.create(clusterPolicies, cluster)).resolves.toBeDefined();
  });

  it('a changed permanent id, and a changed scheduler', async () => {
    await on.create(policies, policy());
    const merge = (change: object) => on.patch<KubeObject>(`${policies}/p`, 'merge', change);
    await merge({ metadata: { labels: { [idLabel]: 'one' } } });
    await expect(merge({ metadata: { labels: { [idLabel]: 'two' } } })).rejects.toMatchObject({
      code: 422,
      details: { causes: [{ field: `metadata.labels[${idLabel}]` }] },
    });
    await expect(merge({ metadata: { labels: { [idLabel]: null } } })).rejects.toMatchObject({ code: 422 });
    await expect(merge({ spec: { schedulerName: 'mine' } })).rejects.toMatchObject({ code: 422 });
    await expect(merge({ spec: { priority: 3 } })).resolves.toMatchObject({ spec: { priority: 3 } });
  });
});

describe('EXP-6: the embedded control plane refuses webhook configurations', () => {
  it.each([
    ['with a bundle that is no base64', { clientConfig: { url: 'https://a.example.com', caBundle: '%%%' } }],
    ['with both url and service', { clientConfig: { url: 'https://a', service: { name: 's', namespace: 'n' } } }],
    ['with a name of one label', { name: 'a' }],
    ['with versions that nobody speaks', { exploreReviewVersions: ['v9'] }],
    ['with a version twice', { exploreReviewVersions: ['v1alpha1', 'v1alpha1'] }],
    ['with a path that is none', { clientConfig: { service: { name: 's', namespace: 'n', path: '/UPPER' } } }],
    [
      'where * does not stand alone',
      { rules: [{ operations: ['*'], apiGroups: ['*', 'apps'], apiVersions: ['*'], resources: ['*'] }] },
    ],
  ])('%s', async (_, hook) => {
    await expect(on.create(configurations, configuration(hook))).rejects.toMatchObject({ code: 422 });
    await expect(on.create(configurations, configuration({}))).resolves.toBeDefined();
  });

  it('with what only the product sees: a URL that is none', async () => {
    const config = configuration({ name: 'a.example', clientConfig: { url: 'https://h%00/' } });
    await expect(on.create(configurations, config)).rejects.toMatchObject({ code: 422 });
    await expect(off.create(configurations, config)).resolves.toBeDefined();
  });
});

describe('FED-24: what is labelled as protected cannot be deleted', () => {
  const refused = { code: 403, reason: 'Forbidden', message: expect.stringContaining('This resource is protected') };

  it.each([
    ['', {}],
    [' on another thread', long],
  ])('an object%s', async (_, metadata) => {
    const map = { metadata: { name: 'm', labels: protectedLabels, ...metadata } };
    await on.create(maps, map);
    await expect(on.delete(`${maps}/m`)).rejects.toMatchObject(refused);
    await expect(on.delete(`${maps}/m`, { dryRun: ['All'] })).rejects.toMatchObject(refused);
    await expect(on.delete(`${maps}?labelSelector=${Object.keys(protectedLabels)[0]}`)).rejects.toMatchObject(refused);
    await on.patch(`${maps}/m`, 'merge', { metadata: { labels: null } });
    await expect(on.delete(`${maps}/m`)).resolves.toMatchObject({ status: 'Success' });
  });

  it('a namespace, and what is in one that goes', async () => {
    const namespaces = '/api/v1/namespaces';
    await on.create(namespaces, { metadata: { name: 'shop', labels: protectedLabels } });
    await expect(on.delete(`${namespaces}/shop`)).rejects.toMatchObject(refused);
    const inShop = maps.replace('default', 'shop');
    await on.create(inShop, { metadata: { name: 'm', labels: protectedLabels } });
    await on.patch(`${namespaces}/shop`, 'merge', { metadata: { labels: { ...mapped(protectedLabels) } } });
    await on.delete(`${namespaces}/shop`);
    await expect(on.get(`${inShop}/m`)).resolves.toBeDefined();
    await on.patch(`${inShop}/m`, 'merge', { metadata: { labels: null } });
    await expect
      .poll(() => on.get(`${namespaces}/shop`).catch(({ code }: { code: number }) => code), { timeout: 15_000 })
      .toBe(404);
  });

  it('while federation is on, and only with the value Always', async () => {
    const labels = { 'resourcetemplate.karmada.io/deletion-protected': 'Never' };
    await on.create(maps, { metadata: { name: 'm', labels } });
    await expect(on.delete(`${maps}/m`)).resolves.toBeDefined();
    await off.create(maps, { metadata: { name: 'm', labels: protectedLabels } });
    await expect(off.delete(`${maps}/m`)).resolves.toBeDefined();
  });
});

const mapped = (labels: object): Record<string, null> =>
  Object.fromEntries(Object.keys(labels).map((label) => [label, null]));

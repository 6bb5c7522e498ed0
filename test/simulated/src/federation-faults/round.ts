/** Templates that are made, and changed and deleted while something is wrong; what is there in the end is the same without. */

import type { KubeClient, KubeObject } from '@fleet/client/kube-client.ts';
import type { AnyObject } from '@fleet/federation/api/objects.ts';
import { inNamespace, propagationPoliciesPath, resourceBindingsPath, worksPath } from '@fleet/federation/api/paths.ts';
import { expect, vi } from 'vitest';
import { byWeight, deployment } from '../federation.ts';
import { difference, type State, textOf } from './state.ts';

export interface Scene {
  controlPlane: KubeClient;
  /** As they are now. */
  members(): [string, KubeClient][];
}

export const settled = { timeout: 120_000, interval: 300 };
const deployments = '/apis/apps/v1/namespaces/shop/deployments';
const configMaps = '/api/v1/namespaces/shop/configmaps';
const policies = inNamespace(propagationPoliciesPath, 'shop');
const bindings = inNamespace(resourceBindingsPath, 'shop');

const configMap = (name: string, of: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { given: 'yes' } },
  data: { of },
});

/** Of the member, whatever becomes of its neighbours. */
export const own = { ...configMap('own', 'member'), metadata: { name: 'own' } };

export async function begin({ controlPlane, members }: Scene): Promise<void> {
  await controlPlane.create(deployments, deployment('web', 3));
  for (const name of ['settings', 'old']) await controlPlane.create(configMaps, configMap(name, 'template'));
  await controlPlane.create(policies, byWeight('web', { tokyo: 1, paris: 2 }));
  await controlPlane.create(policies, {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name: 'maps' },
    spec: {
      resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap', labelSelector: { matchLabels: { given: 'yes' } } }],
      placement: {},
    },
  });
  await vi.waitFor(async () => {
    for (const [, member] of members()) {
      await member.get(`${configMaps}/old`);
      await member.get(`${deployments}/web`);
    }
  }, settled);
  for (const [, member] of members()) await member.create(configMaps, own).catch(unlessThere);
}

export async function scale({ controlPlane }: Scene): Promise<void> {
  await controlPlane.patch(`${deployments}/web`, 'merge', { spec: { replicas: 6 } });
}

export async function change({ controlPlane }: Scene): Promise<void> {
  await controlPlane.patch(`${configMaps}/settings`, 'merge', { data: { of: 'changed' } });
  await controlPlane.create(configMaps, configMap('new', 'template'));
}

export const remove = ({ controlPlane }: Scene): Promise<unknown> => controlPlane.delete(`${configMaps}/old`);

const kept: readonly [string, readonly string[]][] = [
  ['control plane', [deployments, configMaps, policies, bindings, worksPath]],
  ['member', [deployments, configMaps]],
];

/** Deployments' conditions depend on the steps that led to their state. */
function withoutConditions({ status, ...object }: AnyObject): AnyObject {
  const { conditions: _conditions, ...others } = (status ?? {}) as Record<string, unknown>;
  return { ...object, status: others };
}

const isKept = (path: string, { metadata }: KubeObject): boolean =>
  path !== worksPath || !metadata.name.startsWith('shop-');

export async function stateNow({ controlPlane, members }: Scene): Promise<State> {
  const state: State = new Map();
  const ids = new Map<string, string>();
  const [[, ofControlPlane], [, ofMembers]] = kept as [(typeof kept)[0], (typeof kept)[0]];
  const places = [
    ['control plane', controlPlane, ofControlPlane],
    ...members().map(([name, client]) => [name, client, ofMembers]),
  ] as [string, KubeClient, string[]][];
  for (const [place, client, paths] of places) {
    for (const path of paths) {
      const { items } = await client.list<AnyObject>(path);
      for (const item of items.filter((one) => isKept(path, one)).sort(byName)) {
        const object = path === deployments ? withoutConditions(item) : item;
        state.set(
          `${place} ${path} ${item.metadata.namespace}/${item.metadata.name}`,
          textOf({ ...object, kind: item.kind ?? kindOf(path) }, ids),
        );
      }
    }
  }
  return state;
}

const kindOf = (path: string): string => (path === worksPath ? 'Work' : path === bindings ? 'ResourceBinding' : '');

const nameOf = ({ metadata }: KubeObject): string => `${metadata.namespace}/${metadata.name}`;
const byName = (a: KubeObject, b: KubeObject): number => (nameOf(a) < nameOf(b) ? -1 : 1);

export const isAtRest = (scene: Scene, expected: State): Promise<void> =>
  vi.waitFor(
    async () => expect(difference(expected, await stateNow(scene))).toBe(difference(expected, expected)),
    settled,
  );

/** Everything of the round, until nothing is left but what is the members' own. */
export async function end(scene: Scene): Promise<void> {
  const { controlPlane, members } = scene;
  await controlPlane.delete(`${deployments}/web`);
  for (const name of ['settings', 'new']) await controlPlane.delete(`${configMaps}/${name}`);
  for (const name of ['web', 'maps']) await controlPlane.delete(`${policies}/${name}`);
  await vi.waitFor(async () => {
    expect((await controlPlane.list(bindings)).items).toEqual([]);
    for (const [, member] of members()) {
      const { items } = await member.list<KubeObject>(configMaps);
      expect(items.map(({ metadata }) => metadata.name).sort()).toEqual(['kube-root-ca.crt', 'own']);
      expect((await member.list(deployments)).items).toEqual([]);
    }
  }, settled);
}

/** Versions of everything that the federation writes in the control plane. */
export async function versions({ controlPlane }: Scene): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const path of kept[0]![1]) {
    for (const { metadata } of (await controlPlane.list<KubeObject>(path)).items)
      found[`${path} ${metadata.namespace}/${metadata.name}`] = metadata.resourceVersion ?? '';
  }
  return found;
}

function unlessThere(error: { code?: number }): void {
  if (error.code !== 409) throw error;
}

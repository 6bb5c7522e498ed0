/** What users do with the federation, step by step; each is done when everything is at rest after the one before. */

import type { KubeClient } from '@fleet/client/kube-client.ts';
import {
  clusterPropagationPoliciesPath,
  clustersPath,
  inNamespace,
  namespacesPath,
  overridePoliciesPath,
  propagationPoliciesPath,
} from '@fleet/federation/api/paths.ts';
import { disabledSwitch, switchesPath } from '@fleet/federation/turn-off/switch.ts';
import { createNamespace, join, type World } from './world.ts';

export interface Step {
  name: string;
  act(world: World): Promise<void>;
  /** Where what follows takes longer than a moment. */
  isDone?(world: World): boolean;
}

const deployments = '/apis/apps/v1/namespaces/shop/deployments';
const configMaps = '/api/v1/namespaces/shop/configmaps';
const secrets = '/api/v1/namespaces/shop/secrets';
const clusterRoles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const policies = inNamespace(propagationPoliciesPath, 'shop');
const overrides = inNamespace(overridePoliciesPath, 'shop');

const policyVersion = 'policy.karmada.io/v1alpha1';

const deployment = (name: string, replicas: number, secret?: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, labels: { app: name } },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        containers: [
          { name: 'c', image: 'nginx:1', ...(secret ? { envFrom: [{ secretRef: { name: secret } }] } : {}) },
        ],
      },
    },
  },
});

const configMap = (name: string, of: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { of },
});

const secret = (name: string, of: string) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, data: { of } });

const divided = (weights: Record<string, number>) => ({
  replicaScheduling: {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
    weightPreference: {
      staticWeightList: Object.entries(weights).map(([name, weight]) => ({
        targetCluster: { clusterNames: [name] },
        weight,
      })),
    },
  },
});

const selecting = (kind: string, name: string) => ({
  apiVersion: kind === 'Deployment' ? 'apps/v1' : 'v1',
  kind,
  name,
});

const policy = (name: string, selector: object, placement: object, more: object = {}) => ({
  apiVersion: policyVersion,
  kind: 'PropagationPolicy',
  metadata: { name },
  spec: { resourceSelectors: [selector], placement, ...more },
});

const override = (labels: Record<string, string>) => ({
  apiVersion: policyVersion,
  kind: 'OverridePolicy',
  metadata: { name: 'web' },
  spec: {
    resourceSelectors: [selecting('Deployment', 'web')],
    overrideRules: [
      {
        targetCluster: { clusterNames: ['m1'] },
        overriders: { labelsOverrider: [{ operator: 'add', value: labels }] },
      },
    ],
  },
});

const of = ({ members }: World, name: string): KubeClient => members.get(name)!.client;

const clusters = { group: 'cluster.karmada.io', resource: 'clusters' };

export const scenario: readonly Step[] = [
  {
    name: 'members and namespaces',
    async act(world) {
      await join(world, 'm1');
      await join(world, 'm2');
      // One that the member has already.
      await createNamespace(world.members.get('m1')!, 'theirs');
      await of(world, 'm1').create('/api/v1/namespaces/theirs/configmaps', configMap('own', 'm1'));
      for (const name of ['karmada-cluster', 'shop', 'theirs', 'other'])
        await createNamespace(world.controlPlane, name);
    },
  },
  {
    name: 'members have objects of their own',
    async act(world) {
      await of(world, 'm1').create(configMaps, configMap('taken', 'm1'));
      await of(world, 'm1').create(secrets, secret('private', 'm1'));
      await of(world, 'm2').create(deployments, deployment('legacy', 3));
      await of(world, 'm2').create(configMaps, configMap('unknown', 'm2'));
    },
  },
  {
    name: 'templates, policies and an override',
    async act({ controlPlane: { client } }) {
      await client.create(overrides, override({ tier: 'one' }));
      await client.create(
        policies,
        policy('web', selecting('Deployment', 'web'), divided({ m1: 2, m2: 1 }), { propagateDeps: true }),
      );
      await client.create(policies, policy('settings', selecting('ConfigMap', 'settings'), {}));
      await client.create(clusterPropagationPoliciesPath, {
        apiVersion: policyVersion,
        kind: 'ClusterPropagationPolicy',
        metadata: { name: 'reader' },
        spec: {
          resourceSelectors: [{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'reader' }],
          placement: {},
        },
      });
      await client.create(secrets, secret('key', 'template'));
      await client.create(configMaps, configMap('settings', 'template'));
      await client.create(deployments, deployment('web', 6, 'key'));
      await client.create(clusterRoles, {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'reader' },
        rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
      });
    },
  },
  {
    name: 'a template is scaled',
    async act({ controlPlane: { client } }) {
      await client.patch(`${deployments}/web`, 'merge', { spec: { replicas: 9 } });
    },
  },
  {
    name: 'an override and a dependency are changed',
    async act({ controlPlane: { client } }) {
      await client.replace(`${overrides}/web`, override({ level: 'two' }));
      await client.patch(`${secrets}/key`, 'merge', { data: { of: 'another' } });
    },
  },
  {
    name: 'members change and delete what they were given',
    async act(world) {
      await of(world, 'm1').patch(`${deployments}/web`, 'merge', {
        spec: { replicas: 1 },
        metadata: { labels: { own: 'x' } },
      });
      await of(world, 'm2').delete(`${secrets}/key`);
      await of(world, 'm2').patch(`${configMaps}/settings`, 'merge', { data: { of: 'drift' } });
    },
  },
  {
    name: 'a policy divides otherwise',
    async act({ controlPlane: { client } }) {
      await client.patch(`${policies}/web`, 'merge', { spec: { placement: divided({ m1: 1, m2: 2 }) } });
    },
  },
  {
    name: 'another policy takes the template, without its dependencies',
    async act({ controlPlane: { client } }) {
      await client.create(policies, policy('web-2', selecting('Deployment', 'web'), divided({ m1: 1, m2: 2 })));
      await client.patch(`${policies}/web`, 'merge', {
        spec: { resourceSelectors: [selecting('Deployment', 'none')] },
      });
    },
  },
  {
    name: 'and with them again',
    async act({ controlPlane: { client } }) {
      await client.patch(`${policies}/web-2`, 'merge', { spec: { propagateDeps: true } });
    },
  },
  {
    name: 'objects of members are taken over, or left alone',
    async act({ controlPlane: { client } }) {
      const takeover = { conflictResolution: 'Overwrite' };
      await client.create(policies, policy('legacy', selecting('Deployment', 'legacy'), {}, takeover));
      await client.create(policies, policy('taken', selecting('ConfigMap', 'taken'), {}));
      await client.create(deployments, deployment('legacy', 2));
      await client.create(configMaps, configMap('taken', 'template'));
    },
  },
  { name: 'a member joins', act: (world) => join(world, 'm3') },
  {
    name: 'a member leaves',
    async act({ controlPlane: { client } }) {
      await client.delete(`${clustersPath}/m2`);
    },
    isDone: ({ controlPlane: { objects } }) => !objects.find(clusters, 'm2'),
  },
  { name: 'and comes back', act: (world) => join(world, 'm2') },
  {
    name: 'dispatching is suspended, and the template changed',
    async act({ controlPlane: { client } }) {
      await client.patch(`${policies}/settings`, 'merge', { spec: { suspension: { dispatching: true } } });
    },
  },
  {
    name: 'nothing is sent meanwhile',
    async act({ controlPlane: { client } }) {
      await client.patch(`${configMaps}/settings`, 'merge', { data: { of: 'while suspended' } });
    },
  },
  {
    name: 'dispatching goes on, and objects are to be preserved',
    async act({ controlPlane: { client } }) {
      await client.patch(`${policies}/settings`, 'merge', {
        spec: { suspension: null, preserveResourcesOnDeletion: true },
      });
    },
  },
  {
    name: 'a template whose objects are preserved is deleted',
    async act({ controlPlane: { client } }) {
      await client.delete(`${configMaps}/settings`);
    },
  },
  {
    name: 'policies are deleted',
    async act({ controlPlane: { client } }) {
      await client.delete(`${clusterPropagationPoliciesPath}/reader`);
      await client.delete(`${policies}/web-2`);
    },
  },
  {
    name: 'templates are deleted',
    async act({ controlPlane: { client } }) {
      await client.delete(`${deployments}/web`);
      await client.delete(`${deployments}/legacy`);
      await client.delete(`${configMaps}/taken`);
      await client.delete(`${clusterRoles}/reader`);
    },
  },
  {
    name: 'one is made again under its old name',
    async act({ controlPlane: { client } }) {
      await client.patch(`${policies}/web`, 'merge', { spec: { resourceSelectors: [selecting('Deployment', 'web')] } });
      await client.create(deployments, deployment('web', 3, 'key'));
    },
  },
  {
    name: 'it is deleted and made again at once',
    async act({ controlPlane: { client } }) {
      await client.delete(`${deployments}/web`);
      await client.create(deployments, deployment('web', 6, 'key'));
    },
  },
  {
    name: 'a namespace is deleted',
    async act({ controlPlane: { client } }) {
      await client.delete(`${namespacesPath}/theirs`);
      await client.delete(`${namespacesPath}/other`);
    },
  },
  {
    name: 'federation is turned off',
    async act({ controlPlane: { client } }) {
      await client.create(switchesPath, disabledSwitch('keep'));
    },
    isDone: ({ controlPlane: { objects } }) =>
      objects
        .list({ group: '', resource: 'configmaps', namespace: 'karmada-cluster' })
        .some(({ data }) => (data as { done?: string } | undefined)?.done === 'true'),
  },
];

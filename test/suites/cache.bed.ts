/** Registered resources of real clusters: what the cache answers is what kube-apiservers of two versions answer (CACHE-17, IMP-3). */

import type { Mutant } from '@fleet/bed/mutant.ts';
import type { Product } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { Connection } from '@fleet/differential/connection.ts';
import { endpointOfKubeconfig } from '@fleet/differential/endpoint.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fleet, startFleet } from './fleet.ts';
import { apply, binding, reach, role } from './rbac.ts';

let fleet: Fleet<'member1' | 'member2'>;
let admin: Connection;

const group = 'cache.fleet';
const widgets = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'ManyWidgets' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        additionalPrinterColumns: [{ name: 'Size', type: 'string', jsonPath: '.spec.size' }],
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

const map = (name: string, part: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', labels: { part } },
  data: { part },
});

/** Of what a new cluster has most of, and kinds with cells that show a time. */
const registered = [
  ['v1', 'ConfigMap', '/api/v1/configmaps'],
  ['v1', 'Pod', '/api/v1/pods'],
  ['v1', 'Event', '/api/v1/events'],
  ['v1', 'Node', '/api/v1/nodes'],
  ['v1', 'Service', '/api/v1/services'],
  ['apps/v1', 'Deployment', '/apis/apps/v1/deployments'],
  ['apps/v1', 'ReplicaSet', '/apis/apps/v1/replicasets'],
  ['batch/v1', 'Job', '/apis/batch/v1/jobs'],
  ['batch/v1', 'CronJob', '/apis/batch/v1/cronjobs'],
  ['rbac.authorization.k8s.io/v1', 'ClusterRole', '/apis/rbac.authorization.k8s.io/v1/clusterroles'],
  [`${group}/v1`, 'Widget', `/apis/${group}/v1/widgets`],
] as const;

const registry = {
  apiVersion: 'search.karmada.io/v1alpha1',
  kind: 'ResourceRegistry',
  metadata: { name: 'all' },
  spec: { resourceSelectors: registered.map(([apiVersion, kind]) => ({ apiVersion, kind })) },
};

const template = (restartPolicy: string) => ({
  metadata: { labels: { app: 'web' } },
  spec: { restartPolicy, containers: [{ name: 'web', image: 'web' }] },
});

const workloads = [
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default' },
    spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: template('Always') },
  },
  {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'once', namespace: 'default' },
    spec: { template: template('Never') },
  },
  {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'often', namespace: 'default' },
    spec: { schedule: '* * * * *', suspend: true, jobTemplate: { spec: { template: template('Never') } } },
  },
];

beforeAll(async () => {
  fleet = await startFleet({ member1: { version: 'newest' }, member2: { version: 'older' } });
  const { product, members } = fleet;
  for (const member of Object.values(members)) {
    await product.join(member, member.name, '--cache-kinds', '*');
    await apply(member, widgets, ...workloads);
    await until('widgets are served', async () => (await member.kubectl('get', 'widgets')).code === 0);
    const many = Array.from({ length: 30 }, (_, index) => map(`map-${index}`, index % 3 === 0 ? 'a' : 'b'));
    const made = ['small', 'large'].map((size) => ({
      apiVersion: `${group}/v1`,
      kind: 'Widget',
      metadata: { name: size, namespace: 'default' },
      spec: { size },
    }));
    await apply(member, ...many, ...made);
  }
  admin = new Connection(await endpointOfKubeconfig(product.adminKubeconfig));
  await apply(fleet.controlPlane, registry);
  await until('all of it is filled', async () => (await kubectlGetRegistry(product)) === 'True', { every: 200 });
  await until('it is fresh', isCached, { every: 200 });
}, 180_000);

afterAll(async () => {
  await admin?.[Symbol.asyncDispose]();
  await fleet?.[Symbol.asyncDispose]();
});

async function kubectlGetRegistry(product: Product): Promise<string> {
  const path = `jsonpath={.status.conditions[?(@.type=="Synced")].status}`;
  return (await product.kubectl({ at: '/clusterspaces/karmada' }, 'get', 'resourceregistry', 'all', '-o', path)).stdout;
}

interface List {
  metadata: { resourceVersion?: string };
}

const forms = {
  objects: 'application/json',
  Table: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  metadata: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
};

function asking(url: string, accept: string) {
  const [path = '', query = ''] = url.split('?');
  return { method: 'GET', path, query: [...new URLSearchParams(query)], headers: { accept } };
}

async function listed(path: string, accept: string, connection = admin): Promise<{ status: number; list: List }> {
  const { status, body } = await connection.send(asking(path, accept));
  return { status, list: JSON.parse(body.toString()) as List };
}

async function cachedAnswers(): Promise<number> {
  const { body } = await admin.send(asking('/metrics', 'text/plain'));
  const lines = body.toString().match(/^fleet_cache_answers_total\{.*by="cached".*$/gm) ?? [];
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

async function isCached(): Promise<boolean> {
  const before = await cachedAnswers();
  await listed('/api/v1/configmaps', forms.objects);
  return (await cachedAnswers()) >= before + 2;
}

/** As text with its own order of keys: not only the same values, the same bytes but for the version. */
const asText = ({ status, list }: { status: number; list: List }): string => {
  const { resourceVersion: _, continue: _token, ...metadata } = list.metadata as Record<string, unknown>;
  return JSON.stringify({ status, ...list, metadata });
};

/** Objects may change between the two, and cells that show a time do: then both are asked again. */
async function difference(path: string, accept: string): Promise<[string, string] | undefined> {
  let texts: [string, string] = ['', ''];
  for (let attempt = 0; attempt < 5; attempt++) {
    const live = `${path}${path.includes('?') ? '&' : '?'}consistent=true`;
    const [cached, asked] = await Promise.all([listed(path, accept), listed(live, accept)]);
    texts = [asText(cached), asText(asked)];
    if (texts[0] === texts[1]) return undefined;
  }
  return texts;
}

describe('CACHE-17: cached lists are those of the members, to the byte', () => {
  test.each(registered)('%s %s', async (_, _kind, path) => {
    const before = await cachedAnswers();
    for (const accept of Object.values(forms)) {
      expect(await difference(path, accept), accept).toBeUndefined();
      expect(await difference(`${path}?limit=3`, accept), `${accept}, a page`).toBeUndefined();
    }
    expect(await cachedAnswers()).toBeGreaterThan(before);
  });

  test.each([
    '/api/v1/namespaces/default/configmaps?labelSelector=part%3Da',
    '/api/v1/configmaps?labelSelector=part+in+(a),part',
    '/api/v1/configmaps?fieldSelector=metadata.namespace%3Ddefault',
    '/api/v1/pods?fieldSelector=status.phase%3DRunning',
    '/api/v1/events?fieldSelector=involvedObject.kind%3DPod',
    '/api/v1/pods?fieldSelector=spec.nothing%3Da',
    '/api/v1/namespaces/none/pods',
    '/apis/cluster.karmada.io/v1alpha1/clusters/*/proxy/api/v1/namespaces/default/configmaps',
  ])('%s', async (path) => {
    for (const accept of Object.values(forms)) expect(await difference(path, accept), accept).toBeUndefined();
  });
});

test('IMP-3: a revocation in the member shows within a second', async () => {
  await apply(fleet.controlPlane, reach, binding('reach-ann', 'reach', { kind: 'User', name: 'ann' }));
  const ann = new Connection(await endpointOfKubeconfig(await fleet.product.userKubeconfig('ann')));
  const path = '/api/v1/namespaces/default/configmaps';
  const codes = async () => (await listed(path, forms.objects, ann)).status;
  await until('she may reach the members, which refuse her', async () => (await codes()) === 403);
  const maps = { apiGroups: [''], resources: ['configmaps'], verbs: ['list'] };
  await apply(fleet.members.member1, role('maps', maps), binding('maps', 'maps', { kind: 'User', name: 'ann' }));
  await until('she may', async () => (await codes()) === 200);
  await until('from the cache', async () => {
    const before = await cachedAnswers();
    await codes();
    return (await cachedAnswers()) > before;
  });
  await fleet.members.member1.kubectl('delete', 'clusterrolebinding', 'maps');
  await until('no longer', async () => (await codes()) === 403, { timeout: 1_000 });
  await ann[Symbol.asyncDispose]();
});

describe('negative controls', () => {
  const seen = async (mutant: Mutant): Promise<boolean> => {
    const product = await fleet.withMutant(mutant);
    const mine = admin;
    admin = new Connection(await endpointOfKubeconfig(product.adminKubeconfig));
    try {
      await until('it caches', isCached);
      return (await difference('/api/v1/configmaps', forms.objects)) !== undefined;
    } finally {
      await admin[Symbol.asyncDispose]();
      admin = mine;
    }
  };

  test('a list without its last item is noticed', async () => {
    const mutant = {
      file: 'server/src/cache/cached-list.ts',
      from: 'const items = itemsOf(page);',
      to: 'const items = itemsOf(page).slice(0, page.next === undefined ? -1 : undefined);',
    };
    expect(await seen(mutant)).toBe(true);
  });
});

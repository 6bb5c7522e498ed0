import { readFile } from 'node:fs/promises';
import { KubeClient } from '@fleet/client/kube-client.ts';
import type { UpstreamCall } from '@fleet/client/upstream.ts';
import { describe, expect, it } from 'vitest';
import { FakeUpstream, replyOf, statusReply } from '../testing/fake-upstream.ts';
import { silentLog } from '../testing/silent-log.ts';
import { bootstrapControlPlane, readManifest } from './bootstrap.ts';
import { readClientCasIfAllowed } from './client-ca.ts';

const crd = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const clusterCrd = `${crd}/clusters.cluster.karmada.io`;
const apiService = '/apis/apiregistration.k8s.io/v1/apiservices/v1alpha1.cluster.karmada.io';
const searchService = '/apis/apiregistration.k8s.io/v1/apiservices/v1alpha1.search.karmada.io';
const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
const established = { status: { conditions: [{ type: 'Established', status: 'True' }] } };

/** A control plane with the given objects. It accepts creates, and refuses requests by `method path`. */
function controlPlane(holds: Record<string, unknown> = {}, refuses: Record<string, number> = {}) {
  const objects = new Map(Object.entries(holds));
  const upstream = new FakeUpstream(({ method, path: full, body }: UpstreamCall) => {
    const path = full.split('?')[0]!;
    const refused = refuses[`${method} ${path}`];
    if (refused) return statusReply(refused, 'R', 'refused');
    if (method === 'GET')
      return objects.has(path) ? replyOf(200, objects.get(path)) : statusReply(404, 'NotFound', 'no');
    if (method === 'POST') {
      const object = JSON.parse(String(body)) as { metadata: { name: string } };
      objects.set(`${path}/${object.metadata.name}`, path === crd ? { ...object, ...established } : object);
    }
    return replyOf(200, {});
  });
  const { log, lines } = silentLog();
  return {
    upstream,
    lines,
    log,
    client: new KubeClient(upstream),
    writes: () => upstream.paths.filter((path) => !path.startsWith('GET')),
  };
}

const clusters = '/apis/cluster.karmada.io/v1alpha1/clusters';
const registries = '/apis/search.karmada.io/v1alpha1/resourceregistries';
const agents = '/apis/cluster.kubesphere.io/v1alpha1/agents';
const rest = {
  '/api/v1/namespaces/karmada-cluster': {},
  [`${bindings}/fleet:admins`]: {},
  [registries]: { items: [] },
  [agents]: { items: [] },
};

describe('CP-3: an existing control plane', () => {
  it('that has nothing gets the CRDs, the namespace and the binding', async () => {
    const { client, log, writes } = controlPlane();
    expect(await bootstrapControlPlane(client, log)).toEqual({ ownsClusters: true, ownsRegistries: true });
    expect(writes()).toEqual([
      `POST ${crd}`,
      `POST ${crd}`,
      `POST ${crd}`,
      'POST /api/v1/namespaces',
      `POST ${bindings}`,
    ]);
  });

  it('that serves Cluster by itself is used as it is, and its status is left alone (CLU-2)', async () => {
    const { client, log, writes } = controlPlane({ [clusters]: { items: [] }, ...rest });
    expect(await bootstrapControlPlane(client, log)).toMatchObject({ ownsClusters: false });
    expect(writes()).toEqual([]);
  });

  it('CLU-2: an aggregated API in front of our CRD makes Cluster somebody else’s', async () => {
    const ours = { metadata: { labels: { 'app.kubernetes.io/managed-by': 'fleet' } } };
    const holds = { [clusters]: { items: [] }, [clusterCrd]: ours, ...rest };
    const service = { name: 'karmada-aggregated-apiserver', namespace: 'karmada-system' };
    const local = controlPlane({ ...holds, [apiService]: { spec: {} } });
    expect(await bootstrapControlPlane(local.client, local.log)).toMatchObject({ ownsClusters: true });
    const aggregated = controlPlane({ ...holds, [apiService]: { spec: { service } } });
    expect(await bootstrapControlPlane(aggregated.client, aggregated.log)).toMatchObject({ ownsClusters: false });
  });

  it('CACHE-1: where Karmada serves ResourceRegistry, its status is left alone', async () => {
    const ours = { metadata: { labels: { 'app.kubernetes.io/managed-by': 'fleet' } } };
    const holds = { [clusters]: { items: [] }, [clusterCrd]: ours, ...rest };
    const registriesCrd = `${crd}/resourceregistries.search.karmada.io`;
    for (const [more, ownsRegistries] of [
      [{}, false],
      [{ [registriesCrd]: { metadata: {} } }, false],
      [{ [registriesCrd]: ours }, true],
      [{ [registriesCrd]: ours, [searchService]: { spec: { service: {} } } }, false],
    ] as const) {
      const { client, log } = controlPlane({ ...holds, ...more });
      expect(await bootstrapControlPlane(client, log)).toEqual({ ownsClusters: true, ownsRegistries });
    }
  });

  it('with our CRD gets its newer form, with somebody else’s it keeps it', async () => {
    for (const [labels, expected] of [
      [{ 'app.kubernetes.io/managed-by': 'fleet' }, [`PATCH ${clusterCrd}?fieldManager=fleet&force=true`]],
      [{}, []],
    ] as const) {
      const { client, log, writes } = controlPlane({
        [clusters]: { items: [] },
        [clusterCrd]: { metadata: { labels } },
        ...rest,
      });
      await bootstrapControlPlane(client, log);
      expect(writes()).toEqual(expected);
    }
  });

  it('with our CRD as it is now keeps it, whatever else stands in it; a change by hand is put right', async () => {
    const file = new URL('../../manifests/clusters.cluster.karmada.io.json', import.meta.url);
    const crd = readManifest(await readFile(file, 'utf8'));
    const filledIn = { ...crd, ...established, spec: { ...crd.spec, conversion: { strategy: 'None' } } };
    const changed = { ...crd, spec: { ...crd.spec, versions: [] } };
    const older = readManifest(`${JSON.stringify(crd)} `);
    for (const [held, writes] of [
      [filledIn, 0],
      [changed, 1],
      [older, 1],
    ] as const) {
      const plane = controlPlane({ [clusters]: { items: [] }, [clusterCrd]: held, ...rest });
      await bootstrapControlPlane(plane.client, plane.log);
      expect(plane.writes()).toHaveLength(writes);
    }
  });

  it('that forbids the binding: the operator is shown the YAML', async () => {
    const { client, log, lines } = controlPlane({}, { [`POST ${bindings}`]: 403 });
    await bootstrapControlPlane(client, log);
    expect(lines.find(({ level }) => level === 'warn')?.msg).toMatch(
      /kind: ClusterRoleBinding[\s\S]*name: fleet:admins/,
    );
  });

  it('another replica that is faster is no error', async () => {
    const { client, log } = controlPlane(
      {
        [clusterCrd]: { metadata: {}, ...established },
        [`${crd}/resourceregistries.search.karmada.io`]: { metadata: {}, ...established },
        [`${crd}/agents.cluster.kubesphere.io`]: { metadata: {}, ...established },
      },
      { [`POST ${crd}`]: 409, 'POST /api/v1/namespaces': 409, [`POST ${bindings}`]: 409 },
    );
    await bootstrapControlPlane(client, log);
  });

  it('one that fails is an error, not a start without its kinds', async () => {
    const { client, log } = controlPlane({}, { [`POST ${crd}`]: 403 });
    await expect(bootstrapControlPlane(client, log)).rejects.toMatchObject({ code: 403 });
  });
});

describe('CP-3: the control plane’s client CA', () => {
  const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
  const pem = (text: string) => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----`;

  it('may be several certificates', async () => {
    const { client, log } = controlPlane({
      [path]: { data: { 'client-ca-file': `# a\n${pem('aaaa')}\n${pem('bbbb')}\n` } },
    });
    expect(await readClientCasIfAllowed(client, log)).toEqual([pem('aaaa'), pem('bbbb')]);
  });

  it('that cannot be read is a warning, not an end', async () => {
    const { client, log, lines } = controlPlane({}, { [`GET ${path}`]: 403 });
    expect(await readClientCasIfAllowed(client, log)).toEqual([]);
    expect(lines).toMatchObject([{ level: 'warn' }]);
  });
});

/** kube-apiserver's errors for kinds of member clusters, found by the differential suite. */

import { describe, expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';

const core = (resource: string) => `/api/v1/namespaces/default/${resource}`;
const apps = (resource: string) => `/apis/apps/v1/namespaces/default/${resource}`;
const merge = { 'content-type': 'application/merge-patch+json' };
const metadata = { name: 'a' };
const containers = [{ name: 'c', image: 'i' }];
const template = { metadata: { labels: { a: 'b' } }, spec: { containers } };
const volume = (source: object) => ({
  metadata,
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...source },
});
const claim = (source: object) => ({
  metadata,
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...source },
});
const pod = (rest: object) => ({ metadata, spec: { containers, ...rest } });
const spread = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' };

describe('COMPAT-4: refused is', () => {
  it.each([
    [
      core('pods'),
      pod({ os: { name: 'plan9' } }),
      'spec.os: Unsupported value: "plan9": supported values: "linux", "windows"',
    ],
    [core('pods'), pod({ os: {} }), 'spec.os.name: Required value'],
    [
      core('pods'),
      pod({ securityContext: { seccompProfile: { type: 'Odd' } } }),
      'spec.securityContext.seccompProfile.type: Unsupported value: "Odd": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
    ],
    [
      core('pods'),
      pod({ dnsConfig: { options: [{}] } }),
      'spec.dnsConfig.options[0]: Required value: must not be empty',
    ],
    [
      core('pods'),
      pod({ topologySpreadConstraints: [spread, spread] }),
      'spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{zone, ScheduleAnyway}"',
    ],
    [
      core('pods'),
      pod({
        affinity: {
          nodeAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 1, preference: { matchExpressions: [{ key: 'a', operator: 'Odd' }] } },
            ],
          },
        },
      }),
      'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0].operator: Invalid value: "Odd": not a valid selector operator',
    ],
    [
      '/api/v1/nodes',
      { metadata, status: { capacity: { pods: '100E' } } },
      '[status.capacity.pods: Invalid value: "100E": must be an integer, status.allocatable.pods: Invalid value: "100E": must be an integer]',
    ],
    [
      '/api/v1/nodes',
      { metadata, spec: { podCIDRs: ['10.0.0.0/24', '10.0.1.0/24'] } },
      'spec.podCIDRs: Invalid value: ["10.0.0.0/24","10.0.1.0/24"]: may specify no more than one CIDR for each IP family',
    ],
    [
      '/api/v1/persistentvolumes',
      volume({ csi: {} }),
      '[spec.csi.driver: Required value, spec.csi.volumeHandle: Required value]',
    ],
    ['/api/v1/persistentvolumes', volume({ nfs: { path: '/p' } }), 'spec.nfs.server: Required value'],
    [
      '/api/v1/persistentvolumes',
      volume({ iscsi: { targetPortal: 'p', iqn: 'odd', lun: 300 } }),
      '[spec.iscsi.iqn: Invalid value: "odd": must be valid format, spec.iscsi.lun: Invalid value: 300: must be between 0 and 255, inclusive]',
    ],
    [
      core('persistentvolumeclaims'),
      claim({ volumeMode: '' }),
      'spec.volumeMode: Unsupported value: "": supported values: "Block", "Filesystem"',
    ],
    [
      core('persistentvolumeclaims'),
      claim({
        dataSource: { kind: 'PersistentVolumeClaim', name: 'b' },
        dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'c' },
      }),
      'spec: Invalid value: {}: must match dataSourceRef',
    ],
    [
      core('endpoints'),
      { metadata: { name: 'a', finalizers: ['odd'] } },
      'metadata.finalizers[0]: Invalid value: "odd": name is neither a standard finalizer name nor is it fully qualified',
    ],
    [
      core('replicationcontrollers'),
      { metadata: { name: 'a', finalizers: ['odd'] }, spec: { template } },
      'metadata.finalizers[0]: Invalid value: "odd": name is neither a standard finalizer name nor is it fully qualified',
    ],
  ])('%s with %j', async (path, body, why) => {
    const { ask } = await openServer();
    const { status, body: refused } = await ask('POST', path, body);
    expect([status, String(refused['message']).replace(/^\w+ "a" is invalid: /, '')]).toEqual([422, why]);
  });

  it('a scale with a finalizer that nobody knows, and a status that counts wrongly', async () => {
    const { ask } = await openServer();
    const path = core('replicationcontrollers');
    await ask('POST', path, { metadata, spec: { template } });
    const scale = { metadata: { name: 'a', namespace: 'default', finalizers: ['odd'] }, spec: { replicas: 2 } };
    expect((await ask('PUT', `${path}/a/scale`, scale)).status).toBe(422);
    const { body } = await ask('PATCH', `${path}/a/status`, { status: { replicas: 1, readyReplicas: 2 } }, merge);
    expect(body['message']).toBe(
      'ReplicationController "a" is invalid: status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas',
    );
  });

  it('a later end of a pod, whatever else changes', async () => {
    const { ask } = await openServer();
    await ask('POST', core('pods'), pod({ activeDeadlineSeconds: 5 }));
    const spec = { activeDeadlineSeconds: 6, hostname: 'other' };
    const { body } = await ask('PATCH', core('pods/a'), { spec }, merge);
    expect(body['message']).toBe(
      'Pod "a" is invalid: spec.activeDeadlineSeconds: Invalid value: 6: must be less than or equal to previous value',
    );
  });

  it('errors in metadata are as many as in kube-apiserver', async () => {
    const { ask } = await openServer();
    await ask('POST', '/api/v1/persistentvolumes', volume({ hostPath: { path: '/p' } }));
    const causeCount = async (body: object, below = '') => {
      const refused = await ask('PATCH', `/api/v1/persistentvolumes/a${below}`, body, merge);
      return (refused.body['details'] as { causes: unknown[] }).causes.length;
    };
    const label = { metadata: { labels: { a: 'two words' } } };
    expect(await causeCount(label)).toBe(4);
    expect(await causeCount(label, '/status')).toBe(3);
    expect(await causeCount({ metadata: { uid: 'other' } })).toBe(1);
  });
});

describe('COMPAT-4: a field selector', () => {
  it.each([
    [
      apps('replicasets'),
      'status.replicas',
      '"status.replicas" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    ['/apis/batch/v1/namespaces/default/jobs', 'nosuch', 'field label "nosuch" not supported for Job'],
  ])('of %s that is unknown', async (path, field, why) => {
    const { ask } = await openServer();
    const { status, body } = await ask('GET', `${path}?fieldSelector=${field}=0`);
    expect([status, body['message']]).toEqual([400, why]);
  });
});

describe('COMPAT-4: writes', () => {
  it('a deprecated kind is warned of where there is a route', async () => {
    const { ask } = await openServer();
    const warned = async (...[method, path, headers]: [string, string, Record<string, string>?]) =>
      (await ask(method, path, method === 'GET' ? undefined : {}, headers)).headers['warning'] !== undefined;
    expect(await warned('GET', core('endpoints'))).toBe(true);
    expect(await warned('PATCH', core('endpoints'))).toBe(false);
    expect(await warned('PATCH', core('endpoints/a'), { 'content-type': 'text/odd' })).toBe(false);
    expect(await warned('GET', core('endpoints'), { accept: 'text/odd' })).toBe(false);
  });

  it.each([
    [core('services'), '/registry/services/specs/default/a', { spec: { ports: [{ port: 1 }] } }],
    [core('replicationcontrollers'), '/registry/controllers/default/a', { spec: { template } }],
    ['/api/v1/nodes', '/registry/minions/a', {}],
  ])('a failed precondition of %s is reported with the key in etcd', async (path, key, rest) => {
    const { ask } = await openServer();
    await ask('POST', path, { metadata, ...rest });
    const uid = '00000000-0000-4000-8000-000000000000';
    const { body } = await ask('PUT', `${path}/a`, { metadata: { name: 'a', uid }, ...rest });
    expect(body['message']).toContain(`Key: ${key}, `);
  });

  it('a ReplicationController orphans its pods, and needs no good prefix of a name', async () => {
    const { ask } = await openServer();
    const path = core('replicationcontrollers');
    await ask('POST', path, { metadata, spec: { template } });
    const { body, headers } = await ask('DELETE', `${path}/a`);
    expect(body.metadata).toMatchObject({ finalizers: ['orphan'] });
    expect(headers['warning']).toBeUndefined();
    const unnamed = await ask('POST', path, { metadata: { generateName: 'Bad_' }, spec: { template } });
    expect((unnamed.body['details'] as { causes: { field: string }[] }).causes.map(({ field }) => field)).toEqual([
      'metadata.name',
    ]);
  });

  it('the status of a Deployment leaves its labels to whom they belong', async () => {
    const { ask } = await openServer();
    const path = apps('deployments');
    await ask('POST', path, { metadata, spec: { selector: { matchLabels: { a: 'b' } }, template } });
    const { body } = await ask('PATCH', `${path}/a/status`, { metadata: { labels: { x: 'y' } } }, merge);
    expect(body.metadata).not.toHaveProperty('labels');
    expect(body.metadata!['managedFields']).toHaveLength(1);
  });

  it('a PUT to the status of a Service makes one without addresses', async () => {
    const { ask } = await openServer();
    const service = { metadata, spec: { type: 'LoadBalancer', ports: [{ port: 1 }] } };
    const made = await ask('PUT', core('services/a/status'), service);
    expect(made.status).toBe(201);
    expect(made.body['spec']).not.toHaveProperty('clusterIP');
    const patched = await ask('PATCH', core('services/a'), { metadata: { labels: { x: 'y' } } }, merge);
    expect(patched.body['spec']).toHaveProperty('clusterIP');
  });

  it('claims in a StatefulSet may have a kind', async () => {
    const { ask } = await openServer();
    const claims = [{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', ...claim({}) }];
    const spec = { selector: { matchLabels: { a: 'b' } }, serviceName: 's', template, volumeClaimTemplates: claims };
    const { status, headers } = await ask('POST', `${apps('statefulsets')}?fieldValidation=Strict`, { metadata, spec });
    expect([status, headers['warning']]).toEqual([201, undefined]);
  });

  it('a strategic merge into what has no fields is refused as in Go', async () => {
    const { ask } = await openServer();
    const path = apps('controllerrevisions');
    await ask('POST', path, { metadata, revision: 1, data: { spec: { a: 1 } } });
    const strategic = { 'content-type': 'application/strategic-merge-patch+json' };
    const { body } = await ask('PATCH', `${path}/a`, { data: { spec: { b: 1 } } }, strategic);
    expect(body['message']).toBe('unable to find api field in struct RawExtension for the json field "spec"');
  });

  it.each([
    [
      '/api/v1/nodes',
      { spec: { externalID: 'x' } },
      'spec.externalID: this field is deprecated, and is unused by Kubernetes',
    ],
    [
      '/api/v1/persistentvolumes',
      volume({ hostPath: { path: '/p' }, persistentVolumeReclaimPolicy: 'Recycle' }),
      'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
    ],
    [
      core('persistentvolumeclaims'),
      claim({ resources: { requests: { storage: '1500m' } } }),
      'spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
    ],
    [
      core('services'),
      { spec: { clusterIP: 'None', loadBalancerIP: '10.0.0.1' } },
      'spec.loadBalancerIP is ignored for headless services',
    ],
    [
      core('endpoints'),
      { subsets: [{ addresses: [{ ip: '1::0' }] }] },
      'subsets[0].addresses[0].ip: IPv6 address "1::0" should be in RFC 5952 canonical format ("1::")',
    ],
  ])('whoever writes %s is warned', async (path, body, why) => {
    const { ask } = await openServer();
    const { status, headers } = await ask('POST', path, { ...body, metadata });
    expect(status).toBe(201);
    expect(String(headers['warning']).replaceAll('\\"', '"')).toContain(why);
  });
});

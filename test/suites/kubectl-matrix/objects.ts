/** What each cell finds in its member: enough for every command to work on. */

import type { Member } from '@fleet/bed/member.ts';
import { until } from '@fleet/bed/until.ts';
import { type Cell, home, isClusterScoped, type KubeObject, pathOf, spareNode } from './cell.ts';

const container = { name: 'c', image: 'c:1', ports: [{ containerPort: 8080 }] };

/** An unsigned request that anybody may approve. */
const certificateRequest =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlITU1IUUNBUUF3RWpFUU1BNEdBMVVFQXd3SGMyOXRaVzl1WlRCWk1CTUdCeXFHU000OUFnRUdDQ3FHU000OQpBd0VIQTBJQUJJL1Z4UVpobElRVkk3d05XZ0dOZDllTDFIeU55YnkzUmpyQzc3UEJCNlpNMHUwQXVJblRwUlZpCmpLSGl0ajNzdTE2Syt6dVpkZHdwd3B0VW04R0wzZUdnQURBS0JnZ3Foa2pPUFFRREFnTklBREJGQWlCeTZIRkIKR3B5bG1iWGJjYjN1MldDQmkvQXN4QTdRZVdTRUxoMWU3YjZEZlFJaEFLcWwzV3BrcnN1WXFTcE5tSzZ4cjNqRAoyMUU4eTJuNXpLSnlETGI0aDZPZgotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K';

/** Resource, name, and the rest of the object. */
export function objectsNamed(own: (base: string) => string): [kind: string, base: string, rest: object][] {
  const app = { app: own('app') };
  const config = ['cm', 'gone', 'listed', 'waited'].map((base): [string, string, object] => [
    'v1/configmaps',
    base,
    { data: { a: '1' } },
  ]);
  const template = { metadata: { labels: app }, spec: { containers: [container] } };
  const set = (base: string) => {
    const labels = { app: own(base) };
    // On the node that no cell drains.
    const nodeSelector = { 'kubernetes.io/hostname': spareNode };
    return {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { nodeSelector, containers: [container] } },
    };
  };
  const job = { template: { spec: { restartPolicy: 'Never', containers: [container] } } };
  const signing = { request: certificateRequest, signerName: 'example.fleet/nobody', usages: ['client auth'] };
  return [
    ...config,
    ['v1/pods', 'pod', { spec: { containers: [container] } }],
    ['v1/services', 'svc', { spec: { selector: app, ports: [{ port: 80, targetPort: 8080 }] } }],
    ['v1/serviceaccounts', 'sa', {}],
    ['apps/v1/deployments', 'app', { spec: { replicas: 1, selector: { matchLabels: app }, template } }],
    ['apps/v1/statefulsets', 'stateful', { spec: { replicas: 1, serviceName: own('svc'), ...set('stateful') } }],
    ['apps/v1/daemonsets', 'daemon', { spec: set('daemon') }],
    ['batch/v1/cronjobs', 'cron', { spec: { schedule: '0 0 1 1 *', jobTemplate: { spec: job } } }],
    ['certificates.k8s.io/v1/certificatesigningrequests', 'csr', { spec: signing }],
    ['certificates.k8s.io/v1/certificatesigningrequests', 'other', { spec: signing }],
  ];
}

/** Made in the member directly; its pods run when this returns. */
export async function seed(cell: Cell, member: Member): Promise<void> {
  for (const [kind, base, rest] of objectsNamed((base) => cell.own(base))) {
    // a namespace does not identify the member
    if (member.name !== home && cell.view === 'namespace' && isClusterScoped(kind)) continue;
    const metadata = { name: cell.own(base), labels: { cell: cell.id, of: base } };
    await member.api.object(pathOf(kind), { method: 'POST', body: { metadata, ...rest } });
  }
  const app = `${pathOf('apps/v1/deployments')}/${cell.own('app')}`;
  await until(`${app} of ${member.name} runs`, async () => {
    const deployment = await member.api.object<KubeObject>(app);
    const pod = await member.api.object<KubeObject>(`${pathOf('v1/pods')}/${cell.own('pod')}`);
    return deployment['status'].availableReplicas === 1 && pod['status'].phase === 'Running';
  });
}

/** What was applied once, with labels that a cell prunes by. */
export function applied(cell: Cell, member: Member): Promise<unknown> {
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{}' };
  const metadata = { name: cell.own('prey'), labels: { set: cell.id, batch: cell.id }, annotations };
  return member.api.object(pathOf('v1/configmaps'), { method: 'POST', body: { metadata } });
}

/** What makes objects. Bodies are protobuf where kubectl has types of its own (LIST-9). */

import { expect } from 'vitest';
import type { Cell, KubeObject } from '../cell.ts';
import { makes, makesClusterScoped, type Row } from '../row.ts';

/** The member has it, by its own name, with this content. */
const made =
  (kind: string, base: string, look: (object: KubeObject, cell: Cell) => unknown = () => true, expected?: unknown) =>
  async (cell: Cell) => {
    const found = look(await cell.object(kind, base), cell);
    if (expected === undefined) expect(found, cell.id).toBe(true);
    else expect(found, cell.id).toEqual(expected);
  };

const rbac = 'rbac.authorization.k8s.io/v1';

const configMap = (base: string) =>
  `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"{${base}}"},"data":{"a":"1"}}`;

/** What `-k` reads. */
const kustomization =
  'configMapGenerator: [{name: "{kustom}", literals: [a=1], options: {disableNameSuffixHash: true}}]';

const notAgain = {
  ...makes.plain!,
  because: 'Deletes the object, then cannot make it anew: a new object must name its cluster.',
} as const;

/** kubectl makes sure of the namespace first, and knows it by its plain name only. */
const spaceUnclear = {
  is: 'no',
  because: 'The namespace of a new Role is asked for by its plain name, which several members have.',
  error: 'namespaces "default" is in several clusters',
} as const;

const role = (kind: 'Role' | 'ClusterRole', base: string) =>
  `{"apiVersion":"${rbac}","kind":"${kind}","metadata":{${kind === 'Role' ? '"namespace":"{namespace}",' : ''}"name":"{${base}}"},"rules":[{"apiGroups":[""],"resources":["pods"],"verbs":["list"]}]}`;

const verbs = ({ rules }: KubeObject): string[] => rules.flatMap((rule: { verbs: string[] }) => rule.verbs);

/** kubectl keeps to itself what the server answered. */
const silentlyMade = { ...makes.plain!, error: 'failed to create autoscaling/v2 HPA' } as const;

export const creates: Row[] = [
  { command: 'create -f -', stdin: configMap('made'), sees: made('v1/configmaps', 'made'), falls: makes },
  {
    command: ['apply -f -', 'apply -f -'],
    stdin: configMap('applied'),
    sees: made('v1/configmaps', 'applied'),
    falls: makes,
  },
  {
    command: 'apply --server-side -f -',
    stdin: configMap('served'),
    sees: made('v1/configmaps', 'served'),
    falls: makes,
  },
  {
    command: 'apply -f with-namespace.json',
    files: { 'with-namespace.json': configMap('spaced').replace('"name"', '"namespace":"default","name"') },
    sees: made('v1/configmaps', 'spaced'),
    falls: {
      ...makes,
      namespace: {
        is: 'no',
        because:
          'A namespace in a manifest must be the one of `-n`, so it must name the cluster, too; kubectl itself compares them.',
        error: 'does not match the namespace',
      },
    },
  },
  {
    command: 'replace --force -f -',
    stdin: configMap('made'),
    sees: made('v1/configmaps', 'made'),
    falls: { plain: notAgain, any: notAgain },
  },
  {
    command: 'create configmap {literal} --from-literal=a=1',
    sees: made('v1/configmaps', 'literal', ({ data }) => data, { a: '1' }),
    falls: makes,
  },
  {
    command: 'create secret generic {secret} --from-literal=a=1',
    sees: made('v1/secrets', 'secret', ({ data }) => data, { a: 'MQ==' }),
    falls: makes,
  },
  {
    command: 'create deployment {deployed} --image=x:1',
    sees: made(
      'apps/v1/deployments',
      'deployed',
      ({ spec }, cell) => spec.selector.matchLabels.app === cell.own('deployed'),
    ),
    falls: makes,
  },
  { command: 'create job {job} --image=x:1', sees: made('batch/v1/jobs', 'job'), falls: makes },
  {
    command: 'create job {fromcron} --from=cronjob/{cron}',
    sees: made(
      'batch/v1/jobs',
      'fromcron',
      ({ metadata }, cell) => metadata.ownerReferences?.[0]?.name === cell.own('cron'),
    ),
    falls: makes,
  },
  {
    command: 'create cronjob {nightly} --image=x:1 --schedule=@daily',
    sees: made('batch/v1/cronjobs', 'nightly'),
    falls: makes,
  },
  { command: 'create serviceaccount {robot}', sees: made('v1/serviceaccounts', 'robot'), falls: makes },
  {
    command: 'create token {sa}',
    async sees(cell, printed) {
      const claims = JSON.parse(Buffer.from(printed.split('.')[1] ?? '', 'base64url').toString());
      expect(claims.sub).toBe(`system:serviceaccount:default:${cell.own('sa')}`);
      expect(claims['kubernetes.io'].serviceaccount.uid).toBe(
        (await cell.object('v1/serviceaccounts', 'sa')).metadata.uid,
      );
    },
  },
  { command: 'create role {reader} --verb=get --resource=pods', sees: made(`${rbac}/roles`, 'reader'), falls: makes },
  {
    command: 'create rolebinding {reading} --role={reader} --serviceaccount=default:{sa}',
    sees: made(
      `${rbac}/rolebindings`,
      'reading',
      ({ roleRef, subjects }, cell) => roleRef.name === cell.own('reader') && subjects[0].name === cell.own('sa'),
    ),
    falls: makes,
  },
  {
    command: 'create clusterrole {viewer} --verb=get --resource=pods',
    sees: made(`${rbac}/clusterroles`, 'viewer'),
    falls: makesClusterScoped,
  },
  {
    command: 'create clusterrolebinding {viewing} --clusterrole={viewer} --user=somebody',
    sees: made(`${rbac}/clusterrolebindings`, 'viewing', ({ roleRef }, cell) => roleRef.name === cell.own('viewer')),
    falls: makesClusterScoped,
  },
  {
    command: 'auth reconcile -f clusterrole.json',
    files: { 'clusterrole.json': role('ClusterRole', 'viewer') },
    sees: made(`${rbac}/clusterroles`, 'viewer', verbs, ['get', 'list']),
    falls: makesClusterScoped,
  },
  {
    command: 'auth reconcile -f new-role.json',
    files: { 'new-role.json': role('Role', 'lister') },
    sees: made(`${rbac}/roles`, 'lister', verbs, ['list']),
    falls: { name: spaceUnclear, plain: spaceUnclear, any: spaceUnclear },
  },
  {
    command: 'auth reconcile -f role.json',
    files: { 'role.json': role('Role', 'reader') },
    sees: made(`${rbac}/roles`, 'reader', verbs, ['get', 'list']),
    falls: { plain: spaceUnclear, any: spaceUnclear },
  },
  { command: 'create namespace {space}', sees: made('v1/namespaces', 'space'), falls: makesClusterScoped },
  {
    command: 'create priorityclass {urgent} --value=3',
    sees: made('scheduling.k8s.io/v1/priorityclasses', 'urgent'),
    falls: makesClusterScoped,
  },
  { command: 'create quota {quota} --hard=services=1000', sees: made('v1/resourcequotas', 'quota'), falls: makes },
  {
    command: 'create poddisruptionbudget {pdb} --selector=app=nothing --min-available=1',
    sees: made('policy/v1/poddisruptionbudgets', 'pdb'),
    falls: makes,
  },
  { command: 'create service clusterip {ip} --tcp=80', sees: made('v1/services', 'ip'), falls: makes },
  {
    command: 'create ingress {ingress} --rule=example.org/=svc:80',
    sees: made('networking.k8s.io/v1/ingresses', 'ingress'),
    falls: makes,
  },
  {
    command: 'run {runner} --image=x:1',
    sees: made('v1/pods', 'runner', ({ metadata }, cell) => metadata.labels?.['run'] === cell.own('runner')),
    falls: makes,
  },
  {
    command: 'expose deploy {app} --port=80 --name={exposed}',
    sees: made(
      'v1/services',
      'exposed',
      ({ spec }, cell) => spec.selector.app === cell.own('app') && Object.keys(spec.selector).length === 1,
    ),
    falls: makes,
  },
  {
    command: 'autoscale deploy {app} --max=4',
    sees: made(
      'autoscaling/v2/horizontalpodautoscalers',
      'app',
      ({ spec }, cell) => spec.scaleTargetRef.name === cell.own('app'),
    ),
    falls: { plain: silentlyMade, any: silentlyMade },
  },
  {
    command: 'apply -k .',
    files: { 'kustomization.yaml': kustomization },
    sees: made('v1/configmaps', 'kustom', ({ data }) => data, { a: '1' }),
    falls: makes,
  },
  {
    command: 'apply --prune -l batch={id},clusterspace=m1 --prune-allowlist=core/v1/ConfigMap -f -',
    stdin: configMap('kept').replace('"name"', '"labels":{"batch":"{id}","clusterspace":"m1"},"name"'),
    async sees(cell) {
      await made('v1/configmaps', 'kept', ({ metadata }) => metadata.labels, { batch: cell.id })(cell);
      expect(await cell.isGone('v1/configmaps', 'prey')).toBe(true);
    },
    falls: makes,
  },
];

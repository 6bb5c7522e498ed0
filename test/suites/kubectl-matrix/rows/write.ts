/** What changes objects that are there. */

import { expect } from 'vitest';
import type { Cell, KubeObject } from '../cell.ts';
import { prunesMany, type Row } from '../row.ts';

const app = (look: (deployment: KubeObject) => unknown, expected: unknown) => async (cell: Cell) =>
  expect(look(await cell.object('apps/v1/deployments', 'app')), cell.id).toEqual(expected);

const data = (expected: Record<string, string>) => async (cell: Cell) =>
  expect((await cell.object('v1/configmaps', 'cm'))['data'], cell.id).toEqual(expected);

const configMap = (a: string) =>
  `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"{cm}"},"data":{"a":"${a}"}}`;

const first = ({ spec }: KubeObject) => spec.template.spec.containers[0];

/** A StatefulSet or DaemonSet from one revision to the next and back; what it was is kept in ControllerRevisions. */
function rollout(kind: string, base: string, resource: string): Row[] {
  const it = `${kind}/{${base}}`;
  const seen = (look: (object: KubeObject) => unknown, expected: unknown) => async (cell: Cell) =>
    expect(look(await cell.object(resource, base)), cell.id).toEqual(expected);
  const finished = (_: Cell, printed: string) =>
    expect(printed).toMatch(/roll(?:ed out|ing update complete| out complete)/);
  return [
    { command: `set image ${it} c=c:2`, sees: seen((object) => first(object).image, 'c:2') },
    { command: `rollout status ${it} --timeout=60s`, sees: finished },
    { command: `rollout history ${it}`, sees: (_, printed) => expect(printed).toMatch(/\n1 .*\n2 /) },
    { command: `rollout undo ${it}`, sees: seen((object) => first(object).image, 'c:1') },
    {
      command: `rollout restart ${it}`,
      sees: seen(({ spec }) => Object.keys(spec.template.metadata.annotations), ['kubectl.kubernetes.io/restartedAt']),
    },
  ];
}

export const writes: Row[] = [
  {
    command: ['apply -f -', 'apply -f -'],
    stdin: configMap('2'),
    async sees(cell, printed) {
      expect(printed).toBe(`configmap/${cell.typed('cm')} unchanged\n`);
      await data({ a: '2' })(cell);
    },
  },
  {
    command: 'apply --server-side --force-conflicts -f -',
    stdin: configMap('3'),
    async sees(cell, printed) {
      expect(printed).toBe(`configmap/${cell.typed('cm')} serverside-applied\n`);
      await data({ a: '3' })(cell);
    },
  },
  { command: 'diff -f -', stdin: configMap('3'), sees: (_, printed) => expect(printed).toBe('') },
  {
    command: 'diff --server-side -f -',
    stdin: configMap('4'),
    code: 1,
    async sees(cell, printed) {
      expect(printed).toContain('-  a: "3"\n+  a: "4"\n');
      await data({ a: '3' })(cell);
    },
  },
  {
    command: 'edit configmap {cm}',
    options: { env: { KUBE_EDITOR: 'sed -i /a:/s/3/5/' } },
    sees: data({ a: '5' }),
  },
  { command: 'replace -f -', stdin: configMap('6'), sees: data({ a: '6' }) },
  {
    command: 'get deploy {app} -o yaml | kubectl replace -f -',
    async run(cell) {
      const before = await cell.object('apps/v1/deployments', 'app');
      const shown = await cell.ok('get deploy {app} -o yaml');
      expect(await cell.ok('replace -f -', { stdin: shown })).toBe(`deployment.apps/${cell.typed('app')} replaced\n`);
      const after = await cell.object('apps/v1/deployments', 'app');
      expect([after['spec'], after.metadata.annotations]).toEqual([before['spec'], before.metadata.annotations]);
    },
  },
  { command: 'patch configmap {cm} --type=strategic -p {"data":{"s":"1"}}', sees: data({ a: '6', s: '1' }) },
  { command: 'patch configmap {cm} --type=merge -p {"data":{"s":null}}', sees: data({ a: '6' }) },
  {
    command: 'patch configmap {cm} --type=json -p [{"op":"add","path":"/data/j","value":"1"}]',
    sees: data({ a: '6', j: '1' }),
  },
  {
    command: 'patch deploy {app} --subresource=scale --type=merge -p {"spec":{"replicas":2}}',
    sees: app(({ spec }) => spec.replicas, 2),
  },
  { command: 'label deploy {app} x=y', sees: app(({ metadata }) => metadata.labels?.['x'], 'y') },
  { command: 'annotate deploy {app} x=y', sees: app(({ metadata }) => metadata.annotations?.['x'], 'y') },
  { command: 'scale deploy {app} --replicas=1', sees: app(({ spec }) => spec.replicas, 1) },
  { command: 'set image deploy/{app} c=c:2', sees: app((object) => first(object).image, 'c:2') },
  {
    command: 'rollout status deploy/{app} --timeout=30s',
    sees: (cell, printed) => expect(printed).toContain(`deployment "${cell.typed('app')}" successfully rolled out`),
  },
  { command: 'rollout history deploy/{app}', sees: (_, printed) => expect(printed).toMatch(/\n1 .*\n2 /) },
  { command: 'rollout undo deploy/{app}', sees: app((object) => first(object).image, 'c:1') },
  { command: 'rollout pause deploy/{app}', sees: app(({ spec }) => spec.paused, true) },
  { command: 'rollout resume deploy/{app}', sees: app(({ spec }) => spec.paused, undefined) },
  {
    command: 'rollout restart deploy/{app}',
    sees: app(({ spec }) => Object.keys(spec.template.metadata.annotations), ['kubectl.kubernetes.io/restartedAt']),
  },
  ...rollout('sts', 'stateful', 'apps/v1/statefulsets'),
  ...rollout('ds', 'daemon', 'apps/v1/daemonsets'),
  { command: 'set env deploy/{app} A=B', sees: app((object) => first(object).env, [{ name: 'A', value: 'B' }]) },
  {
    command: 'set resources deploy/{app} --limits=cpu=1',
    sees: app((object) => first(object).resources.limits, { cpu: '1' }),
  },
  {
    command: 'set serviceaccount deploy/{app} {sa}',
    sees: async (cell) => app(({ spec }) => spec.template.spec.serviceAccountName, cell.own('sa'))(cell),
  },
  {
    command: 'set selector svc/{svc} app=other',
    sees: async (cell) => expect((await cell.object('v1/services', 'svc'))['spec'].selector).toEqual({ app: 'other' }),
  },
  {
    command: 'wait --for=condition=Available deploy/{app} --timeout=30s',
    sees: (cell, printed) => expect(printed).toBe(`deployment.apps/${cell.typed('app')} condition met\n`),
  },
  {
    command: 'wait --for=jsonpath={.spec.replicas}=1 deploy/{app} --timeout=30s',
    sees: (cell, printed) => expect(printed).toBe(`deployment.apps/${cell.typed('app')} condition met\n`),
  },
  {
    command: 'wait --for=create configmap/{cm} --timeout=30s',
    sees: (cell, printed) => expect(printed).toBe(`configmap/${cell.typed('cm')} condition met\n`),
  },
  {
    command: 'wait --for=delete configmap/{waited} --timeout=30s',
    async run(cell) {
      const [printed] = await Promise.all([
        cell.ok('wait --for=delete configmap/{waited} --timeout=30s'),
        cell.remove('v1/configmaps', 'waited'),
      ]);
      expect(['', `configmap/${cell.typed('waited')} condition met\n`]).toContain(printed);
    },
  },
  {
    command: 'certificate approve {csr}',
    sees: async (cell) =>
      expect(
        (await cell.object('certificates.k8s.io/v1/certificatesigningrequests', 'csr'))['status'].conditions,
      ).toEqual([expect.objectContaining({ type: 'Approved' })]),
  },
  {
    command: 'certificate deny {other}',
    sees: async (cell) =>
      expect(
        (await cell.object('certificates.k8s.io/v1/certificatesigningrequests', 'other'))['status'].conditions,
      ).toEqual([expect.objectContaining({ type: 'Denied' })]),
  },
  {
    command: 'apply --prune -l set={id} --prune-allowlist=core/v1/ConfigMap -f -',
    stdin: configMap('7').replace('"name"', '"labels":{"set":"{id}"},"name"'),
    async sees(cell) {
      await data({ a: '7', j: '1' })(cell);
      expect(await cell.isGone('v1/configmaps', 'prey')).toBe(true);
    },
    falls: { name: prunesMany, plain: prunesMany, any: prunesMany },
  },
];

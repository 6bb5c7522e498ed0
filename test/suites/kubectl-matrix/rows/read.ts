/** What reads. */

import { until } from '@fleet/bed/until.ts';
import { expect } from 'vitest';
import { type Cell, home, type KubeObject } from '../cell.ts';
import type { Row } from '../row.ts';

/** As kubectl prints it. */
async function pod(cell: Cell): Promise<KubeObject> {
  const { metadata, ...rest } = await cell.object('v1/pods', 'pod');
  const { managedFields: _, ...shown } = metadata;
  return { ...rest, metadata: shown };
}

/** An object is the member's own but for what its view adds (NAME-4, LIST-6). */
function asShown(cell: Cell, object: KubeObject): KubeObject {
  const { metadata } = object;
  switch (cell.view) {
    case 'name':
      return { ...object, metadata: { ...metadata, name: cell.typed('pod') } };
    case 'namespace':
      return { ...object, metadata: { ...metadata, namespace: `default.clusterspace.${home}` } };
    case 'plain':
      return object;
    case 'any':
      return {
        ...object,
        metadata: { ...metadata, annotations: { ...metadata.annotations, 'cluster.karmada.io/name': home } },
      };
    default:
      return cell.view satisfies never;
  }
}

const column = (printed: string, header: string): string[] => {
  const [first = '', ...rows] = printed.trimEnd().split('\n');
  const at = first.split(/\s+/).indexOf(header);
  return rows.map((row) => row.split(/\s+/)[at] ?? '');
};

/** In merged lists names are suffixed, however their reader names objects otherwise (NAME-4). */
const listed = (cell: Cell, base: string): string[] => {
  const own = cell.own(base);
  if (cell.view === 'namespace' || cell.view === 'any') return [own];
  return cell.view === 'plain' ? [`${own}.clusterspace.m1`] : [`${own}.clusterspace.m1`, `${own}.clusterspace.m2`];
};

export const reads: Row[] = [
  { command: 'get pod {pod}', sees: (cell, printed) => expect(column(printed, 'NAME')).toEqual([cell.typed('pod')]) },
  { command: 'get pod {pod} -o name', sees: (cell, printed) => expect(printed).toBe(`pod/${cell.typed('pod')}\n`) },
  {
    command: 'get pod {pod} -o json',
    sees: async (cell, printed) => expect(JSON.parse(printed), cell.id).toEqual(asShown(cell, await pod(cell))),
  },
  {
    command: 'get pod {pod} -o yaml',
    sees: async (cell, printed) => expect(printed).toContain(`uid: ${(await pod(cell)).metadata.uid}\n`),
  },
  {
    command: 'get pods -l cell={id},of=pod',
    sees: (cell, printed) => expect(column(printed, 'NAME')).toEqual(listed(cell, 'pod')),
  },
  {
    command: 'get deploy -l cell={id} -o wide',
    sees: (cell, printed) => expect(column(printed, 'NAME')).toEqual(listed(cell, 'app')),
  },
  {
    command: 'get configmaps -l cell={id} -o name --chunk-size=1',
    sees(cell, printed) {
      const names = ['cm', 'gone', 'listed', 'waited'].flatMap((base) => listed(cell, base));
      expect(printed.trim().split('\n').sort()).toEqual(names.map((name) => `configmap/${name}`).sort());
    },
  },
  {
    command: 'get pods -l cell={id},of=pod,clusterspace=m1 -L clusterspace',
    sees(cell, printed) {
      expect(column(printed, 'NAME')).toEqual([listed(cell, 'pod')[0]]);
      expect(column(printed, 'CLUSTERSPACE')).toEqual([home]);
    },
  },
  {
    command: 'get pods -l cell={id},of=pod -w --request-timeout=2s',
    sees: (cell, printed) => expect(column(printed, 'NAME')).toEqual(listed(cell, 'pod')),
  },
  {
    command: 'get pod {pod} -w --request-timeout=2s',
    sees: (cell, printed) => expect(column(printed, 'NAME')).toEqual([cell.typed('pod')]),
  },
  {
    command: 'describe deploy {app}',
    sees(cell, printed) {
      expect(printed).toContain(cell.typed('app'));
      expect(printed).toMatch(/NewReplicaSet: +app-/);
      expect(printed).toContain('ScalingReplicaSet');
    },
  },
  {
    command: 'describe pod {pod}',
    sees: (_, printed) => expect(printed).toContain('Successfully assigned default/pod-'),
  },
  {
    command: 'describe service {svc}',
    sees: (_, printed) => expect(printed).toMatch(/Endpoints: +\d+\.\d+\.\d+\.\d+:8080\n/),
  },
  {
    command: 'describe node {node}',
    sees: (cell, printed) => expect(printed).toMatch(new RegExp(`Name: +${cell.typed('node')}\n`)),
  },
  {
    command: 'events --for deploy/{app}',
    sees: (_, printed) => expect(printed).toMatch(/ScalingReplicaSet +Deployment\/app-/),
  },
  {
    command: 'get events --field-selector involvedObject.name={pod}',
    sees: (_, printed) => expect(printed).toMatch(/Scheduled +pod\/pod-/),
  },
  {
    command: 'get -f - -o name',
    stdin: '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"{pod}"}}',
    sees: (cell, printed) => expect(printed).toBe(`pod/${cell.typed('pod')}\n`),
  },
  { command: 'get all -l cell={id}', sees: (_, printed) => expect(printed).toContain('deployment.apps/app-') },
  {
    command: 'top pod {pod}',
    run: async (cell) => {
      const printed = await until('the pod is measured', () => cell.ok('top pod {pod}'));
      expect(column(printed, 'NAME')).toEqual([cell.typed('pod')]);
      expect(column(printed, 'CPU(cores)')).toEqual(['10m']);
    },
  },
  {
    command: 'top node {node}',
    sees: (cell, printed) => expect(column(printed, 'NAME')).toEqual([cell.typed('node')]),
  },
  { command: 'explain deployment.spec.replicas', sees: (_, printed) => expect(printed).toContain('FIELD: replicas') },
  {
    command: 'api-resources',
    sees: (_, printed) => expect(printed).toMatch(/deployments +deploy +apps\/v1 +true +Deployment/),
  },
  { command: 'api-versions', sees: (_, printed) => expect(printed).toContain('apps/v1\n') },
  { command: 'version', sees: (_, printed) => expect(printed).toMatch(/Server Version: v1\.\d+\.\d+/) },
  { command: 'cluster-info', sees: (_, printed) => expect(printed).toContain('is running at') },
  {
    command: 'cluster-info dump',
    sees(cell, printed) {
      expect(printed).toContain(`"name": "${cell.view === 'any' ? cell.node : `${cell.node}.clusterspace.m1`}"`);
      const [pod] = listed(cell, 'pod');
      expect(printed).toMatch(new RegExp(`START logs for container c of pod \\S+/${pod} ====\nc line 1\n`));
    },
    falls: {
      any: {
        is: 'limited',
        because:
          'A log is read by the pod’s plain name: of one that several members have, the dump holds the conflict.',
      },
    },
  },
  { command: 'auth whoami', sees: (_, printed) => expect(printed).toMatch(/Username +fleet:admin/) },
  { command: 'auth can-i delete pod/{pod}', sees: (_, printed) => expect(printed).toBe('yes\n') },
  { command: 'auth can-i --list', sees: (_, printed) => expect(printed).toContain('*.*') },
];

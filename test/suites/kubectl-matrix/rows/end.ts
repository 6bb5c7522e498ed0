/** What ends objects, and what is done to nodes: last, as nothing is left behind it. */

import { expect } from 'vitest';
import type { Cell } from '../cell.ts';
import type { Row } from '../row.ts';

const gone = (kind: string, base: string) => async (cell: Cell) =>
  expect(await cell.isGone(kind, base), cell.id).toBe(true);

const node =
  (look: (spec: { unschedulable?: boolean; taints?: { key: string }[] }) => unknown, expected: unknown) =>
  async (cell: Cell) =>
    expect(look((await cell.object('v1/nodes', 'node'))['spec']), cell.id).toEqual(expected);

/** Commands on nodes look at pods and their DaemonSets; `agent` is one in every member. */
export const ends: Row[] = [
  { command: 'delete configmap {gone}', sees: gone('v1/configmaps', 'gone') },
  {
    command: 'delete configmap -l cell={id},of=listed,clusterspace=m1',
    sees: gone('v1/configmaps', 'listed'),
    falls: {
      any: {
        is: 'limited',
        because: 'What is listed is deleted by its plain name: one that several members have is a conflict.',
      },
    },
  },
  {
    command: 'delete -f -',
    stdin: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"{cm}"}}',
    sees: gone('v1/configmaps', 'cm'),
  },
  { command: 'delete pod {pod} --wait --grace-period=1', sees: gone('v1/pods', 'pod') },
  {
    command: 'delete deploy {app} --cascade=foreground --wait',
    sees: gone('apps/v1/deployments', 'app'),
  },
  {
    command: 'taint node {node} a=b:PreferNoSchedule',
    sees: node(({ taints }) => taints?.map(({ key }) => key), ['a']),
  },
  { command: 'cordon {node}', sees: node(({ unschedulable }) => unschedulable, true) },
  { command: 'uncordon {node}', sees: node(({ unschedulable }) => unschedulable, undefined) },
  {
    command: 'drain {node} --ignore-daemonsets --force --timeout=30s',
    async sees(cell) {
      await node(({ unschedulable }) => unschedulable, true)(cell);
      expect(await cell.podsOnNode()).toEqual([expect.stringMatching(/^agent-/)]);
    },
    falls: {
      any: {
        is: 'no',
        because: 'The DaemonSet of a pod is asked for by its plain name, which several members have.',
        error: 'is in several clusters',
      },
    },
  },
];

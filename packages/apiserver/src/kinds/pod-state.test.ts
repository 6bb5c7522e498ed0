import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../registry/kube-object.ts';
import { podState } from './pod-state.ts';

const pod = (status: object, spec: object = {}, metadata: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', ...metadata },
  spec: { containers: [{ name: 'c' }], ...spec },
  status: { phase: 'Pending', ...status },
});

const finishedAt = '2026-01-01T00:00:00Z';
const initContainers = [{ name: 'i' }, { name: 'beside', restartPolicy: 'Always' }];

describe('COMPAT-4: the state of a pod in one word', () => {
  it.each([
    ['Pending', pod({})],
    ['Evicted', pod({ phase: 'Failed', reason: 'Evicted' })],
    ['SchedulingGated', pod({ conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] })],
    ['Terminating', pod({ phase: 'Running' }, {}, { deletionTimestamp: finishedAt })],
    ['Unknown', pod({ reason: 'NodeLost' }, {}, { deletionTimestamp: finishedAt })],
    [
      'CrashLoopBackOff',
      pod({ containerStatuses: [{ name: 'c', state: { waiting: { reason: 'CrashLoopBackOff' } } }] }),
    ],
    ['ExitCode:3', pod({ containerStatuses: [{ name: 'c', state: { terminated: { exitCode: 3 } } }] })],
    ['Init:0/2', pod({ initContainerStatuses: [{ name: 'i', state: { running: {} } }] }, { initContainers })],
    [
      'Init:Error',
      pod({ initContainerStatuses: [{ name: 'i', state: { terminated: { exitCode: 1, reason: 'Error' } } }] }),
    ],
  ])('%s', (word, given) => {
    expect(podState(given).word).toBe(word);
  });

  it('one of two containers that completed leaves it running', () => {
    const containerStatuses = [
      { name: 'c', state: { terminated: { exitCode: 0, reason: 'Completed' } } },
      { name: 'd', ready: true, state: { running: {} }, restartCount: 2, lastState: { terminated: { finishedAt } } },
    ];
    const conditions = [{ type: 'Ready', status: 'True' }];
    expect(podState(pod({ phase: 'Running', containerStatuses, conditions }))).toMatchObject({
      word: 'Running',
      ready: 1,
      restarts: 2,
      lastRestart: Date.parse(finishedAt),
    });
    expect(podState(pod({ phase: 'Running', containerStatuses })).word).toBe('NotReady');
  });

  it('containers that go on beside the others count', () => {
    const initContainerStatuses = [
      { name: 'i', state: { terminated: { exitCode: 0 } }, restartCount: 5 },
      { name: 'beside', started: true, ready: true, state: { running: {} }, restartCount: 1 },
    ];
    const containerStatuses = [{ name: 'c', ready: true, state: { running: {} } }];
    expect(podState(pod({ phase: 'Running', initContainerStatuses, containerStatuses }, { initContainers }))).toEqual({
      word: 'Running',
      ready: 2,
      total: 2,
      restarts: 1,
      lastRestart: 0,
    });
  });
});

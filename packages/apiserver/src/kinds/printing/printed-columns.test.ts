import { describe, expect, it } from 'vitest';
import { builtInKinds } from '../built-in-kinds.ts';

const now = Date.parse('2026-01-02T00:00:00Z');

const columnsOf = (group: string, resource: string) =>
  builtInKinds().find((kind) => kind.group === group && kind.resource === resource)?.columns ?? [];

function cells(group: string, resource: string, object: object): Record<string, unknown> {
  const whole = {
    apiVersion: 'v1',
    kind: 'x',
    metadata: { name: 'a', creationTimestamp: '2026-01-01T23:00:00Z' },
    ...object,
  };
  return Object.fromEntries(columnsOf(group, resource).map(({ name, cell }) => [name, cell(whole, now)]));
}

it('CP-1: every column of every kind has cells, also of an object that is empty', () => {
  for (const { columns = [], resource } of builtInKinds()) {
    const object = { apiVersion: '', kind: '', metadata: {}, involvedObject: {}, source: {}, roleRef: {} };
    for (const { name, cell } of columns) expect(cell(object, now), `${resource} ${name}`).toBeDefined();
  }
});

it('a deployment shows how many of its pods are there', () => {
  const template = {
    spec: {
      containers: [
        { name: 'c', image: 'i:1' },
        { name: 'd', image: 'j' },
      ],
    },
  };
  const spec = { replicas: 3, selector: { matchLabels: { app: 'x' } }, template };
  expect(cells('apps', 'deployments', { spec, status: { readyReplicas: 2, updatedReplicas: 3 } })).toEqual({
    Name: 'a',
    Ready: '2/3',
    'Up-to-date': 3,
    Available: 0,
    Age: '60m',
    Containers: 'c,d',
    Images: 'i:1,j',
    Selector: 'app=x',
  });
});

const running = { name: 'c', ready: true, state: { running: {} } };
const crashed = { terminated: { exitCode: 1, finishedAt: '2026-01-01T23:59:00Z' } };

describe('a pod shows the state of its containers', () => {
  it.each([
    ['running', { phase: 'Running', containerStatuses: [running] }, '1/1', 'Running', '0'],
    [
      'waiting',
      { phase: 'Pending', containerStatuses: [{ state: { waiting: { reason: 'ErrImagePull' } } }] },
      '0/1',
      'ErrImagePull',
      '0',
    ],
    [
      'crashed',
      { phase: 'Running', containerStatuses: [{ restartCount: 2, state: crashed, lastState: crashed }] },
      '0/1',
      'ExitCode:1',
      '2 (60s ago)',
    ],
    [
      'prepared',
      { phase: 'Pending', initContainerStatuses: [{ name: 'i', state: { running: {} } }] },
      '0/1',
      'Init:0/1',
      '0',
    ],
    ['evicted', { phase: 'Failed', reason: 'Evicted' }, '0/1', 'Evicted', '0'],
  ])('%s', (_, status, ready, reason, restarts) => {
    const spec = { containers: [{ name: 'c' }], initContainers: [{ name: 'i' }] };
    expect(cells('', 'pods', { spec, status })).toMatchObject({ Ready: ready, Status: reason, Restarts: restarts });
  });

  it('one that is being deleted', () => {
    const metadata = { name: 'a', deletionTimestamp: '2026-01-01T23:59:00Z' };
    expect(cells('', 'pods', { metadata, status: { phase: 'Running' } })).toMatchObject({ Status: 'Terminating' });
  });
});

import type { KubeObject } from '@fleet/client/kube-client.ts';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fakeControlPlane } from '../testing/fake-control-plane.ts';
import { type Job, millisToLive, removeExpiredJobs } from './expired-jobs.ts';

const path = '/apis/batch/v1/namespaces/default/jobs';
const settled = { timeout: 5_000, interval: 20 };
const end = '2026-01-01T00:00:00Z';
const now = Date.parse(end);
const complete = { type: 'Complete', status: 'True', lastTransitionTime: end };

const job = (name: string, ttl: number | undefined, condition?: object): Job => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name },
  spec: ttl === undefined ? {} : { ttlSecondsAfterFinished: ttl },
  status: { conditions: condition ? [condition as typeof complete] : [] },
});

describe('a Job lives', () => {
  it.each<[string, Job, number | undefined]>([
    ['for ever without a time', job('j', undefined, complete), undefined],
    ['for ever with null', { ...job('j', 1, complete), spec: { ttlSecondsAfterFinished: null } }, undefined],
    ['as long as it runs', job('j', 1), undefined],
    ['as long as it is not finished', job('j', 1, { ...complete, type: 'SuccessCriteriaMet' }), undefined],
    ['as long as it is not complete', job('j', 1, { ...complete, status: 'False' }), undefined],
    ['until its time is over', job('j', 5, complete), 5_000],
    ['until its time is over, failed', job('j', 5, { ...complete, type: 'Failed' }), 5_000],
    ['no longer at all', job('j', 0, complete), 0],
  ])('FED-19: %s', (_, one, left) => {
    expect(millisToLive(one, now)).toBe(left);
  });
});

it('FED-19: finished Jobs are removed after their time, others stay', async () => {
  const { client } = fakeControlPlane();
  const ended = new Date().toISOString();
  const justEnded = { ...complete, lastTransitionTime: ended };
  for (const one of [
    job('over', 0, complete),
    job('soon', 1, justEnded),
    job('later', 3_600, justEnded),
    job('kept', undefined, complete),
    job('running', 0),
  ]) {
    await client.create(path, one);
    await client.patch(`${path}/${one.metadata.name}/status`, 'merge', { status: one.status });
  }
  const warnings: unknown[] = [];
  const removing = removeExpiredJobs({ client, log: { info() {}, warn: (fields) => void warnings.push(fields) } });
  onTestFinished(() => removing[Symbol.asyncDispose]());
  const names = async () => (await client.list<KubeObject>(path)).items.map(({ metadata }) => metadata.name).toSorted();
  await vi.waitFor(async () => expect(await names()).toEqual(['kept', 'later', 'running']), settled);
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(ended) + 1_000);
  await client.patch(`${path}/running/status`, 'merge', { status: { conditions: [complete] } });
  await vi.waitFor(async () => expect(await names()).toEqual(['kept', 'later']), settled);
  expect(warnings).toEqual([]);
});

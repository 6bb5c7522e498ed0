import { describe, expect, it } from 'vitest';
import { createFaults, decoded, updateFaults } from '../../testing/kind-rules.ts';
import { openServer } from '../../testing/open-server.ts';
import { jobs } from './kind.ts';

const pod = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] };
const template = { metadata: { labels: { x: 'y' } }, spec: pod };
const path = '/apis/batch/v1/namespaces/default/jobs';

describe('WORKLOAD-6: a Job', () => {
  it('has Kubernetes’ defaults', () => {
    expect(decoded(jobs, { spec: { template } })['spec']).toMatchObject({
      completions: 1,
      parallelism: 1,
      backoffLimit: 6,
      completionMode: 'NonIndexed',
      suspend: false,
      podReplacementPolicy: 'TerminatingOrFailed',
      manualSelector: false,
    });
    expect(decoded(jobs, { spec: { template, parallelism: 2 } })['spec']).not.toHaveProperty('completions');
  });

  it('selects its pods by its uid; a Job without labels has those of its pods', async () => {
    const { ask } = await openServer();
    const made = await ask('POST', path, { metadata: { name: 'a' }, spec: { template } });
    const { uid } = made.body.metadata as { uid: string };
    const labels = {
      x: 'y',
      'controller-uid': uid,
      'job-name': 'a',
      'batch.kubernetes.io/controller-uid': uid,
      'batch.kubernetes.io/job-name': 'a',
    };
    expect(made.body.metadata).toMatchObject({ labels, generation: 1 });
    expect(made.body['spec']).toMatchObject({
      selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } },
      template: { metadata: { labels } },
    });
    const own = await ask('POST', path, { metadata: { name: 'b', labels: { x: 'y' } }, spec: { template } });
    expect(own.body.metadata!['labels']).toEqual({ x: 'y' });
  });

  it('leaves its pods behind by default, with a warning', async () => {
    const { ask } = await openServer();
    await ask('POST', path, { metadata: { name: 'a' }, spec: { template } });
    const gone = await ask('DELETE', `${path}/a`);
    expect(gone.body.metadata).toMatchObject({ finalizers: ['orphan'] });
    expect(String(gone.headers['warning'])).toContain('child pods are preserved by default when jobs are deleted');
    await ask('POST', path, { metadata: { name: 'b' }, spec: { template } });
    const other = await ask('DELETE', `${path}/b?propagationPolicy=Background`);
    expect([other.body['status'], other.headers['warning']]).toEqual(['Success', undefined]);
  });

  it.each([
    [
      { template: { spec: { ...pod, restartPolicy: 'Always' } } },
      'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    ],
    [{ completions: -1 }, 'spec.completions: Invalid value: -1: must be greater than or equal to 0'],
    [
      { completionMode: 'Odd' },
      'spec.completionMode: Unsupported value: "Odd": supported values: "NonIndexed", "Indexed"',
    ],
    [
      { completionMode: 'Indexed', parallelism: 1 },
      'spec.completions: Required value: when completion mode is Indexed',
    ],
    [{ backoffLimitPerIndex: 1 }, 'spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode'],
    [
      { podReplacementPolicy: 'Odd' },
      'spec.podReplacementPolicy: Unsupported value: "Odd": supported values: "Failed", "TerminatingOrFailed"',
    ],
    [
      { managedBy: 'me' },
      'spec.managedBy: Invalid value: "me": must be a domain-prefixed path (such as "acme.io/foo")',
    ],
    [
      { podFailurePolicy: { rules: [{ action: 'Ignore' }] } },
      'spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required',
    ],
    [
      { completionMode: 'Indexed', completions: 3, successPolicy: { rules: [{ succeededIndexes: '0-3' }] } },
      'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "0-3": error parsing succeededIndexes: too large index: "3"',
    ],
  ])('%o is refused', async (change, fault) => {
    expect(await createFaults(jobs, { spec: { template, ...change } })).toEqual([fault]);
  });

  const manual = { template, manualSelector: true, selector: { matchLabels: { x: 'y' } } };
  const moved = { ...template, spec: { ...pod, nodeSelector: { zone: 'z' } } };

  it('keeps its template, but for where its pods run while it is suspended', async () => {
    const suspended = { ...manual, suspend: true };
    expect(await updateFaults(jobs, { spec: suspended }, { spec: { ...suspended, template: moved } })).toEqual([]);
    const [running] = await updateFaults(jobs, { spec: manual }, { spec: { ...manual, template: moved } });
    expect(running).toMatch(/^spec.template: Invalid value: .*: field is immutable$/);
    const image = { ...template, spec: { ...pod, containers: [{ name: 'c', image: 'other' }] } };
    const [other] = await updateFaults(jobs, { spec: suspended }, { spec: { ...suspended, template: image } });
    expect(other).toMatch(/^spec.template.spec: Invalid value: .*: field is immutable$/);
    expect(await updateFaults(jobs, { spec: manual }, { spec: { ...manual, completions: 3 } })).toEqual([
      'spec.completions: Invalid value: 3: field is immutable',
    ]);
  });

  it('ends once, with a time', async () => {
    const startTime = '2026-01-01T00:00:00Z';
    const condition = (type: string) => ({ type, status: 'True' });
    const ends = (status: object) => updateFaults(jobs, { spec: manual }, { spec: manual, status }, 'status');
    const met = [condition('SuccessCriteriaMet'), condition('Complete')];
    expect(await ends({ startTime, completionTime: startTime, succeeded: 1, conditions: met })).toEqual([]);
    expect(await ends({ startTime, conditions: [condition('Complete')] })).toEqual([
      'status.completionTime: Required value: completionTime is required for Complete jobs',
      'status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
    ]);
    expect(await ends({ active: 1, ready: 2 })).toEqual([
      'status.ready: Invalid value: 2: cannot set more ready pods than active',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { createFaults, decoded, updateFaults } from '../../testing/kind-rules.ts';
import { openServer } from '../../testing/open-server.ts';
import { daemonSets } from './kind.ts';

const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const spec = { selector: { matchLabels: { a: 'b' } }, template };

describe('WORKLOAD-4: a DaemonSet', () => {
  it('has Kubernetes’ defaults', () => {
    expect(decoded(daemonSets, { spec })['spec']).toMatchObject({
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
      revisionHistoryLimit: 10,
    });
  });

  it('replaces pods either before or after they go', async () => {
    const rolling = (rollingUpdate: object) =>
      createFaults(daemonSets, { spec: { ...spec, updateStrategy: { rollingUpdate } } });
    expect(await rolling({ maxUnavailable: 1, maxSurge: 1 })).toEqual([
      'spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero',
    ]);
    expect(await rolling({ maxUnavailable: 0 })).toEqual([
      'spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0',
    ]);
    expect(await rolling({ maxUnavailable: '101%' })).toEqual([
      'spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%',
    ]);
  });

  it('keeps its selector', async () => {
    const selector = { matchExpressions: [{ key: 'a', operator: 'Exists' }] };
    const [fault] = await updateFaults(daemonSets, { spec }, { spec: { ...spec, selector } });
    expect(fault).toMatch(/^spec.selector: Invalid value: .*: field is immutable$/);
  });

  it('counts the changes of its template in an annotation', async () => {
    const { ask } = await openServer();
    const path = '/apis/apps/v1/namespaces/default/daemonsets';
    const key = 'deprecated.daemonset.template.generation';
    const made = await ask('POST', path, { metadata: { name: 'a' }, spec });
    expect(made.body.metadata).toMatchObject({ generation: 1, annotations: { [key]: '1' } });
    const other = { ...template, spec: { containers: [{ name: 'c', image: 'other' }] } };
    const changed = await ask('PUT', `${path}/a`, { metadata: { name: 'a' }, spec: { ...spec, template: other } });
    expect(changed.body.metadata).toMatchObject({ generation: 2, annotations: { [key]: '2' } });
  });
});

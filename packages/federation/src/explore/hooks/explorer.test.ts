import { describe, expect, it } from 'vitest';
import type { CallHook } from './call-hook.ts';
import { HookError } from './hook-error.ts';
import { type Operation, operations } from './hook-model.ts';
import {
  answering,
  asks,
  byNative,
  explorerOf,
  type Fields,
  items,
  native,
  never,
  observed,
  patchOf,
  template,
} from './testing/explorer-bed.ts';
import { hookOf, workload } from './testing/sample-hooks.ts';

const right: Record<Operation, Fields> = {
  replica: { replicas: 5 },
  status: { status: { ready: 7 } },
  packing: patchOf({ op: 'add', path: '/spec/packed', value: true }),
  revising: patchOf({ op: 'replace', path: '/spec/replicas', value: 2 }),
  retaining: patchOf({ op: 'add', path: '/spec/paused', value: true }),
  aggregating: patchOf({ op: 'add', path: '/status/readyReplicas', value: 9 }),
  healthy: { healthy: false },
  dependencies: { dependencies: [{ apiVersion: 'v1', kind: 'Secret', namespace: 'default', name: 's' }] },
};

describe('createExplorer', () => {
  const answers: Record<Operation, unknown> = {
    replica: { replicas: 5 },
    status: { ready: 7 },
    packing: workload({ spec: { ...(template['spec'] as Fields), packed: true }, status: { readyReplicas: 1 } }),
    revising: workload({ spec: { ...(template['spec'] as Fields), replicas: 2 }, status: { readyReplicas: 1 } }),
    retaining: workload({ spec: { ...(template['spec'] as Fields), paused: true }, status: { readyReplicas: 1 } }),
    aggregating: { ...template, status: { readyReplicas: 9 } },
    healthy: 'Unhealthy',
    dependencies: [{ apiVersion: 'v1', kind: 'Secret', namespace: 'default', name: 's' }],
  };

  it.each(operations)('EXP-7: a hook goes before the native rule: %s', async (operation) => {
    const { explorer, reports } = explorerOf({ rules: native, call: answering((asked) => right[asked]) });
    const kept = structuredClone({ template, observed, items });
    expect(await asks[operation](explorer)).toEqual(answers[operation]);
    expect(reports).toEqual([['workloads.example.com', operation, 'success']]);
    expect({ template, observed, items }).toEqual(kept);
  });

  it.each(operations)('EXP-7: per operation: a hook for others leaves %s to the native rule', async (operation) => {
    const others = operations.filter((one) => one !== operation);
    const { explorer } = explorerOf({ hooks: [hookOf({}, others)], rules: native, call: never });
    expect(await asks[operation](explorer)).toEqual(byNative[operation]);
  });

  it.each<[Operation, unknown]>([
    ['replica', undefined],
    ['status', { readyReplicas: 2 }],
    ['packing', template],
    ['revising', template],
    ['retaining', template],
    ['aggregating', template],
    ['healthy', 'Healthy'],
    ['dependencies', []],
  ])('EXP-3: what holds for every kind, where nobody has a rule: %s', async (operation, answer) => {
    const { explorer } = explorerOf({ hooks: [], call: never });
    expect(await asks[operation](explorer)).toEqual(answer);
  });

  it('EXP-3: without a rule the template is the same object, so nothing is written; likewise with an equal status', async () => {
    const { explorer } = explorerOf({ hooks: [], call: never });
    expect(await explorer.aggregate(template, items)).toBe(template);
    const same = patchOf({ op: 'add', path: '/status', value: { readyReplicas: 1 } });
    const asking = explorerOf({ call: answering(() => same) });
    expect(await asking.explorer.aggregate(template, items)).toBe(template);
  });

  it.each(['packing', 'revising', 'retaining', 'aggregating'] as const)(
    'EXP-3: no patch means unchanged: %s',
    async (operation) => {
      const { explorer } = explorerOf({ rules: native, call: answering(() => ({})) });
      expect(await asks[operation](explorer)).toBe(template);
    },
  );

  it('EXP-7: of several hooks the first is asked, and no other', async () => {
    const hooks = [hookOf({ name: 'b.example' }), hookOf({ name: 'a.example' })];
    const { explorer, reports } = explorerOf({ hooks, call: answering(() => ({ healthy: true })) });
    await explorer.health(observed);
    expect(reports).toEqual([['a.example', 'healthy', 'success']]);
  });

  const failing: CallHook = (hook, operation) => Promise.reject(new HookError(hook, operation, 'timeout', 'late'));

  it.each(operations)('EXP-5: Fail is an error, whatever the native rule: %s', async (operation) => {
    const { explorer, reports, ignored } = explorerOf({ rules: native, call: failing });
    await expect(asks[operation](explorer)).rejects.toThrow(`"workloads.example.com" of`);
    expect(reports).toEqual([['workloads.example.com', operation, 'timeout']]);
    expect(ignored).toEqual([]);
  });

  it.each(operations.filter((one) => one !== 'retaining'))(
    'EXP-5: Ignore acts as if the hook were absent: %s',
    async (operation) => {
      const { explorer, reports, ignored } = explorerOf({
        hooks: [hookOf({ failurePolicy: 'Ignore' })],
        rules: native,
        call: failing,
      });
      expect(await asks[operation](explorer)).toEqual(byNative[operation]);
      expect(reports).toEqual([['workloads.example.com', operation, 'timeout']]);
      expect(ignored).toMatchObject([{ operation, hook: 'examples/workloads.example.com' }]);
    },
  );

  it('EXP-5: Ignore of Retaining skips the update: neither the native rule nor another hook decides', async () => {
    const hooks = [hookOf({ failurePolicy: 'Ignore', name: 'a.example' }), hookOf({ name: 'b.example' })];
    const { explorer, reports, ignored } = explorerOf({ hooks, rules: native, call: failing });
    expect(await explorer.retain(template, observed)).toBeUndefined();
    expect(reports).toHaveLength(1);
    expect(ignored).toHaveLength(1);
  });

  it('EXP-5: as if it were absent, the next hook is the first', async () => {
    const hooks = [hookOf({ failurePolicy: 'Ignore', name: 'a.example' }), hookOf({ name: 'b.example' })];
    const call: CallHook = (hook, ...rest) =>
      (hook.name === 'a.example' ? failing : answering(() => ({ healthy: false })))(hook, ...rest);
    const { explorer } = explorerOf({ hooks, rules: native, call });
    expect(await explorer.health(observed)).toBe('Unhealthy');
  });

  it('EXP-6: without a version that the product speaks every call fails, by its failurePolicy, and nothing is sent', async () => {
    const { explorer } = explorerOf({ hooks: [hookOf({ version: undefined })], call: never });
    await expect(explorer.health(observed)).rejects.toMatchObject({ failure: 'configuration', operation: 'healthy' });
    const ignoring = explorerOf({ hooks: [hookOf({ version: undefined, failurePolicy: 'Ignore' })], call: never });
    expect(await ignoring.explorer.health(observed)).toBe('Healthy');
  });

  it('the caller’s own end is neither a failure of the hook nor ignored', async () => {
    const ended = new AbortController();
    const call: CallHook = () => {
      ended.abort(new Error('stopped'));
      return Promise.reject(new Error('stopped'));
    };
    const { explorer, reports, ignored } = explorerOf({ hooks: [hookOf({ failurePolicy: 'Ignore' })], call });
    await expect(explorer.health(observed, ended.signal)).rejects.toThrow('stopped');
    expect([reports, ignored]).toEqual([[], []]);
  });
});

describe('what a patch may change', () => {
  const outcome = async (operation: Operation, ...list: unknown[]) => {
    const { explorer } = explorerOf({ call: answering(() => patchOf(...list)) });
    return asks[operation](explorer);
  };

  it.each<[Operation, unknown[], string]>([
    ['revising', [{ op: 'replace', path: '/metadata/name', value: 'other' }], '/metadata/name'],
    ['packing', [{ op: 'remove', path: '/metadata/namespace' }], '/metadata/namespace'],
    ['retaining', [{ op: 'add', path: '/metadata/uid', value: 'u2' }], '/metadata/uid'],
    ['retaining', [{ op: 'add', path: '/metadata/resourceVersion', value: '7' }], '/metadata/resourceVersion'],
    ['packing', [{ op: 'replace', path: '/kind', value: 'Secret' }], '/kind'],
    ['revising', [{ op: 'add', path: '/apiVersion', value: 'v1' }], '/apiVersion'],
    ['revising', [{ op: 'remove', path: '/metadata' }], '/metadata'],
    ['packing', [{ op: 'replace', path: '', value: [] }], 'something else than an object'],
    ['aggregating', [{ op: 'replace', path: '/spec/replicas', value: 9 }], '/spec'],
    ['aggregating', [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }], '/metadata'],
    ['aggregating', [{ op: 'add', path: '/data', value: { a: 'b' } }], '/data'],
    ['aggregating', [{ op: 'move', from: '/spec', path: '/status/spec' }], '/spec'],
    ['aggregating', [{ op: 'replace', path: '/status', value: 'ready' }], '/status'],
  ])('EXP-3: %s with %j is an error', async (operation, list, path) => {
    const also = { op: 'add', path: '/status/readyReplicas', value: 5 };
    const kept = structuredClone(template);
    await expect(outcome(operation, also, ...list)).rejects.toMatchObject({
      failure: 'patch',
      reason: expect.stringContaining(path),
    });
    expect(template).toEqual(kept);
  });

  it('EXP-3: labels and annotations may change, but not when status is aggregated', async () => {
    const label = { op: 'add', path: '/metadata/labels', value: { a: 'b' } };
    expect(await outcome('retaining', label)).toMatchObject({ metadata: { ...template.metadata, labels: { a: 'b' } } });
  });

  it('EXP-2: what a Go type adds by being read and written again is no change', async () => {
    const go = [
      { op: 'add', path: '/metadata/creationTimestamp', value: null },
      { op: 'add', path: '/spec/strategy', value: {} },
      { op: 'add', path: '/spec/template/spec/containers/0/resources', value: {} },
      { op: 'add', path: '/spec/template/metadata', value: { creationTimestamp: null } },
      { op: 'replace', path: '/status/readyReplicas', value: 9 },
    ];
    expect(await outcome('aggregating', ...go)).toEqual({ ...template, status: { readyReplicas: 9 } });
    expect(await outcome('revising', go[0])).toMatchObject({
      metadata: { ...template.metadata, creationTimestamp: null },
    });
  });

  it('EXP-3: a status may be removed, and one that is not there be made', async () => {
    const { status: _, ...without } = template;
    expect(await outcome('aggregating', { op: 'remove', path: '/status' })).toEqual(without);
    const { explorer } = explorerOf({
      call: answering(() => patchOf({ op: 'add', path: '/status', value: { a: 1 } })),
    });
    expect(await explorer.aggregate(workload(), items)).toEqual({ ...workload(), status: { a: 1 } });
  });
});

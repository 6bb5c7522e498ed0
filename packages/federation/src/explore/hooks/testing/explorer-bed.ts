/** An explorer for tests: objects to ask about, hooks in process, and native rules whose answers differ from those of hooks. */

import { expect } from 'vitest';
import type { AnyObject } from '../../../api/objects.ts';
import type { ObjectRules } from '../../object-rules.ts';
import type { CallOutcome } from '../ask-hooks.ts';
import type { CallHook } from '../call-hook.ts';
import { createExplorer, type Explorer } from '../explorer.ts';
import type { HookError } from '../hook-error.ts';
import type { Hook, Operation } from '../hook-model.ts';
import { createHookIndex } from '../select-hook.ts';
import { factsOf, hookOf, workload } from './sample-hooks.ts';

export type Fields = Record<string, unknown>;

export const template = workload({ status: { readyReplicas: 1 } });
export const observed = workload({ spec: { replicas: 3, paused: true }, status: { readyReplicas: 2 } });
export const items = [{ clusterName: 'm1', status: { readyReplicas: 2 } }];

export const asks: Record<Operation, (explorer: Explorer, object?: AnyObject) => Promise<unknown>> = {
  replica: (explorer, object = template) => explorer.replicas(object),
  status: (explorer, object = observed) => explorer.reflect(object),
  packing: (explorer, object = template) => explorer.pack(object),
  revising: (explorer, object = template) => explorer.revise(object, 2),
  retaining: (explorer, object = template) => explorer.retain(object, observed),
  aggregating: (explorer, object = template) => explorer.aggregate(object, items),
  healthy: (explorer, object = observed) => explorer.health(object),
  dependencies: (explorer, object = template) => explorer.dependencies(object),
};

/** A hook in process: what it answers, by the request. */
export const answering =
  (answer: (operation: Operation, hook: Hook) => Fields): CallHook =>
  async (hook, operation, body) => {
    const { uid } = JSON.parse(String(body)).request;
    return Buffer.from(JSON.stringify({ response: { uid, ...answer(operation, hook) } }));
  };

export const patchOf = (...list: unknown[]) => ({
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(list)).toString('base64'),
});

export const native: ObjectRules = {
  replicas: () => ({ replicas: 1 }),
  revise: (object) => ({ ...object, by: 'revise' }),
  pack: (object) => ({ ...object, by: 'pack' }),
  retain: (object) => ({ ...object, by: 'retain' }),
  reflect: () => undefined,
  aggregate: (object) => ({ ...object, by: 'aggregate' }),
  health: () => 'Unknown',
  dependencies: () => [{ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'n' }],
};
export const byNative: Record<Operation, unknown> = {
  replica: { replicas: 1 },
  status: undefined,
  packing: { ...template, by: 'pack' },
  revising: { ...template, by: 'revise' },
  retaining: { ...template, by: 'retain' },
  aggregating: { ...template, by: 'aggregate' },
  healthy: 'Unknown',
  dependencies: [{ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'n' }],
};

interface Setting {
  hooks?: Hook[];
  rules?: ObjectRules;
  call: CallHook;
}

export function explorerOf({ hooks = [hookOf()], rules, call }: Setting) {
  const index = createHookIndex(hooks);
  const reports: [string, Operation, CallOutcome][] = [];
  const ignored: HookError[] = [];
  const explorer = createExplorer({
    hooks: () => index,
    native: () => rules,
    factsOf,
    call,
    onCall(hook, operation, seconds, outcome) {
      expect(seconds).toBeGreaterThanOrEqual(0);
      reports.push([hook.name, operation, outcome]);
    },
    onIgnored: (_, error) => ignored.push(error),
  });
  return { explorer, reports, ignored };
}

export const never: CallHook = () => Promise.reject(new Error('nobody is to be called'));

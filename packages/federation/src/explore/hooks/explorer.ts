/** Runs the operations on an object: by a hook that matches, else by the native rule, else by the default for every kind (EXP-3). */

import type { AggregatedStatusItem, Health } from '../../api/bindings.ts';
import type { AnyObject, JsonObject } from '../../api/objects.ts';
import type { Dependency, ObjectRules, Replicas } from '../object-rules.ts';
import { type AskHooks, createAskHooks, type OnCall, type OnIgnored } from './ask-hooks.ts';
import type { CallHook } from './call-hook.ts';
import type { FactsOfKind } from './hook-model.ts';
import { patchedObject, patchedStatus } from './hook-patch.ts';
import type { HookIndex } from './select-hook.ts';

/** None of these changes its arguments. All throw HookError where a hook that must not be ignored fails. */
export interface Explorer {
  /** Undefined: the kind has no replicas. */
  replicas(template: AnyObject, signal?: AbortSignal): Promise<Replicas | undefined>;
  revise(template: AnyObject, replicas: number, signal?: AbortSignal): Promise<AnyObject>;
  pack(manifest: AnyObject, signal?: AbortSignal): Promise<AnyObject>;
  /** Undefined: a hook failed that may be ignored. What the member owns is not known then, so the update is skipped (EXP-5). */
  retain(desired: AnyObject, observed: AnyObject, signal?: AbortSignal): Promise<AnyObject | undefined>;
  /** Undefined: there is no status. */
  reflect(observed: AnyObject, signal?: AbortSignal): Promise<JsonObject | undefined>;
  /** The same object if its kind has no rule: its status is left alone. */
  aggregate(template: AnyObject, items: readonly AggregatedStatusItem[], signal?: AbortSignal): Promise<AnyObject>;
  health(observed: AnyObject, signal?: AbortSignal): Promise<Health>;
  dependencies(template: AnyObject, signal?: AbortSignal): Promise<Dependency[]>;
}

export interface ExplorerParts {
  /** Called each time, since configurations change. */
  hooks(): HookIndex;
  native(apiVersion: string, kind: string): ObjectRules | undefined;
  call: CallHook;
  /** By discovery of the control plane. */
  factsOf: FactsOfKind;
  onCall?: OnCall;
  onIgnored?: OnIgnored;
}

export function createExplorer(parts: ExplorerParts): Explorer {
  const ask: AskHooks = createAskHooks(parts);
  const rules = ({ apiVersion, kind }: AnyObject): ObjectRules => parts.native(apiVersion, kind) ?? {};
  return {
    async replicas(object, signal) {
      const asked = await ask({ operation: 'replica', object }, signal, (answer) => answer);
      return asked.is === 'answered' ? asked.value : rules(object).replicas?.(object);
    },
    async revise(object, replicas, signal) {
      const asked = await ask({ operation: 'revising', object, replicas }, signal, (patch) =>
        patchedObject(object, patch),
      );
      return asked.is === 'answered' ? asked.value : (rules(object).revise?.(object, replicas) ?? object);
    },
    async pack(object, signal) {
      const asked = await ask({ operation: 'packing', object }, signal, (patch) => patchedObject(object, patch));
      return asked.is === 'answered' ? asked.value : (rules(object).pack?.(object) ?? object);
    },
    async retain(object, observed, signal) {
      const asked = await ask({ operation: 'retaining', object, observed }, signal, (patch) =>
        patchedObject(object, patch),
      );
      switch (asked.is) {
        case 'answered':
          return asked.value;
        case 'ignored':
          return undefined;
        case 'unasked':
          return rules(object).retain?.(object, observed) ?? object;
        default:
          return asked satisfies never;
      }
    },
    async reflect(object, signal) {
      const asked = await ask({ operation: 'status', object }, signal, (answer) => answer);
      if (asked.is === 'answered') return asked.value;
      const { reflect } = rules(object);
      return reflect ? reflect(object) : statusOf(object);
    },
    async aggregate(object, items, signal) {
      const asked = await ask({ operation: 'aggregating', object, items }, signal, (patch) =>
        patchedStatus(object, patch),
      );
      return asked.is === 'answered' ? asked.value : (rules(object).aggregate?.(object, items) ?? object);
    },
    async health(object, signal) {
      const asked = await ask(
        { operation: 'healthy', object },
        signal,
        (answer): Health => (answer ? 'Healthy' : 'Unhealthy'),
      );
      return asked.is === 'answered' ? asked.value : (rules(object).health?.(object) ?? 'Healthy');
    },
    async dependencies(object, signal) {
      const asked = await ask({ operation: 'dependencies', object }, signal, (answer) => answer);
      return asked.is === 'answered' ? asked.value : (rules(object).dependencies?.(object) ?? []);
    },
  };
}

const statusOf = ({ status }: AnyObject): JsonObject | undefined => (status as JsonObject | undefined) ?? undefined;

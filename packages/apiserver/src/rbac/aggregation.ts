/** Aggregates ClusterRoles: their rules are those of the roles that their selectors match. */

import { isDeepStrictEqual } from 'node:util';
import { WorkQueue } from '@fleet/client/work-queue.ts';
import { StatusError } from '@fleet/kube/status.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { LiveCopy } from '../registry/live-copy.ts';
import type { ObjectRegistry } from '../registry/registry.ts';
import { type SelectorObject, selectsByObject } from '../selectors/selector-object.ts';
import type { PolicyRule } from './policy-rule.ts';
import { rulesOf } from './rule-resolver.ts';

const selectorsOf = ({ aggregationRule }: KubeObject): readonly SelectorObject[] =>
  (aggregationRule as { clusterRoleSelectors?: SelectorObject[] } | undefined)?.clusterRoleSelectors ?? [];

/** Without duplicates, in the order of selectors and then of names. */
function aggregated(role: KubeObject, all: readonly KubeObject[]): PolicyRule[] {
  const rules = new Map<string, PolicyRule>();
  for (const selector of selectorsOf(role)) {
    for (const other of all) {
      if (other.metadata.name === role.metadata.name || !selectsByObject(selector, other.metadata.labels ?? {}))
        continue;
      for (const rule of rulesOf(other)) rules.set(JSON.stringify(rule), rule);
    }
  }
  return [...rules.values()];
}

const mostRounds = 8;

export interface Aggregation extends AsyncDisposable {
  /** Resolves when the roles from before the start are aggregated. */
  settled: Promise<void>;
}

export function aggregateClusterRoles(clusterRoles: ObjectRegistry, onError: (error: unknown) => void): Aggregation {
  /** Aggregated roles may select other aggregated roles, which takes more than one round. */
  const pass = async (): Promise<boolean> => {
    let all = [...copy.values()].sort((a, b) => (a.metadata.name! < b.metadata.name! ? -1 : 1));
    for (let round = 0; round < mostRounds; round += 1) {
      const changed = all.flatMap((role) => {
        if (selectorsOf(role).length === 0) return [];
        const rules = aggregated(role, all);
        return isDeepStrictEqual(rules, [...rulesOf(role)]) ? [] : [{ ...role, rules }];
      });
      if (changed.length === 0) return true;
      for (const { metadata, rules } of changed) await write(metadata.name!, rules);
      const byName = new Map(changed.map((role) => [role.metadata.name, role]));
      all = all.map((role) => byName.get(role.metadata.name) ?? role);
    }
    return true;
  };

  const write = async (name: string, rules: readonly PolicyRule[]): Promise<void> => {
    try {
      await clusterRoles.update(name, {}, (old) => ({ ...old!, rules }));
    } catch (error) {
      // It was deleted meanwhile.
      if (!(error instanceof StatusError && error.code === 404)) throw error;
    }
  };

  // All roles are one item, as each may be aggregated from any other.
  const queue = new WorkQueue<void>({ work: pass, onError });
  const look = (): void => queue.add('', undefined);
  const copy = new LiveCopy({
    registry: clusterRoles,
    onChange: () => void copy.synced.then(look),
    onError,
  });
  return {
    settled: copy.synced.then(() => {
      look();
      return queue.idle;
    }),
    async [Symbol.asyncDispose]() {
      await copy[Symbol.asyncDispose]();
      await queue[Symbol.asyncDispose]();
    },
  };
}

/** Which hooks answer for a kind, in their order: by the name of the configuration, then by their own (EXP-7). */

import { groupVersionOf, type Hook, type HookRule, type KindFacts, type Operation } from './hook-model.ts';

export interface HookIndex {
  /** The first hook is called. The next one is called only if the one before fails and has failurePolicy Ignore. */
  matching(operation: Operation, target: HookTarget): readonly Hook[];
}

export interface HookTarget {
  apiVersion: string;
  kind: string;
  /** Undefined where the control plane does not serve the kind: then no rule by resource matches. */
  facts: KindFacts | undefined;
}

/** A rule, parsed once for all lookups. */
interface PreparedRule {
  hook: Hook;
  rank: number;
  matches(version: string, target: HookTarget): boolean;
}

/** Matches rules once for each kind and operation, and keeps the result in a Map. The facts of a kind are part of the key. */
export function createHookIndex(hooks: readonly Hook[]): HookIndex {
  const rules = new Map<string, PreparedRule[]>();
  for (const [rank, hook] of hooks.toSorted(byNames).entries()) {
    for (const rule of hook.rules) addRule(rules, hook, rank, rule);
  }
  const known = new Map<string, readonly Hook[]>();
  return {
    matching(operation, target) {
      if (rules.size === 0) return none;
      const { apiVersion, kind, facts } = target;
      const key = `${operation} ${apiVersion} ${kind} ${facts?.plural} ${facts?.namespaced}`;
      const cached = known.get(key);
      if (cached) return cached;
      const found = find(rules, operation, target);
      // Users who store objects of very many kinds must not exhaust the memory.
      if (known.size >= mostKnown) known.clear();
      known.set(key, found);
      return found;
    },
  };
}

const none: readonly Hook[] = [];
const mostKnown = 10_000;

/** By code units: the order must not depend on a locale. */
const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

const byNames = (left: Hook, right: Hook): number =>
  compare(left.configuration, right.configuration) ||
  compare(left.name, right.name) ||
  compare(left.codec, right.codec);

function addRule(rules: Map<string, PreparedRule[]>, hook: Hook, rank: number, rule: HookRule): void {
  const prepared = { hook, rank, matches: matcherOf(rule) };
  for (const operation of new Set(rule.operations)) {
    for (const group of new Set(rule.groups)) {
      const key = `${operation} ${group}`;
      const list = rules.get(key);
      if (list) list.push(prepared);
      else rules.set(key, [prepared]);
    }
  }
}

function find(rules: Map<string, PreparedRule[]>, operation: Operation, target: HookTarget): readonly Hook[] {
  const { group, version } = groupVersionOf(target.apiVersion);
  const ofGroup = [...(rules.get(`${operation} ${group}`) ?? []), ...(rules.get(`${operation} *`) ?? [])];
  const matching = ofGroup.filter((rule) => rule.matches(version, target));
  return [...new Set(matching.toSorted((left, right) => left.rank - right.rank).map(({ hook }) => hook))];
}

function matcherOf({ versions, what }: HookRule): PreparedRule['matches'] {
  const hasVersion = has(versions);
  switch (what.by) {
    case 'kind': {
      const hasKind = has(what.kinds);
      return (version, { kind }) => hasVersion(version) && hasKind(kind);
    }
    case 'resource': {
      // A template is never a subresource: `pods/*` includes pods, `pods/status` does not.
      const hasResource = has(
        what.resources.map((resource) => (resource.endsWith('/*') ? resource.slice(0, -2) : resource)),
      );
      const { scope } = what;
      return (version, { facts }) =>
        facts !== undefined &&
        hasVersion(version) &&
        hasResource(facts.plural) &&
        (scope === '*' || (scope === 'Namespaced') === facts.namespaced);
    }
    default:
      return what satisfies never;
  }
}

function has(list: readonly string[]): (text: string) => boolean {
  const set = new Set(list);
  return set.has('*') ? () => true : (text) => set.has(text);
}

/** Whether a change of the hook may change what becomes of objects of this kind, so that they are examined again. */
export function concerns({ rules }: Hook, target: HookTarget): boolean {
  const { group, version } = groupVersionOf(target.apiVersion);
  return rules.some(
    (rule) => rule.operations.length > 0 && has(rule.groups)(group) && matcherOf(rule)(version, target),
  );
}

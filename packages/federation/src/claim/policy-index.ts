/** Indexes policies by what they select, to find those of one template without reading the others. */

import { keyOf } from '@fleet/client/informer.ts';
import type { AnyObject } from '../api/objects.ts';
import type { PropagationPolicy } from '../api/policies.ts';
import { type Claim, claimOf } from './claim-marks.ts';
import { matchOf, type PolicyMatch, type PreparedSelector, preparedSelectors } from './match.ts';

export interface PolicySource {
  /** Policies of the template's namespace and cluster policies, each once, by its most specific selector. */
  matches(template: AnyObject): PolicyMatch[];
  /** More than one where somebody copied a policy with its labels. */
  withId(claim: Claim): PropagationPolicy[];
}

export interface PolicyIndex extends PolicySource {
  set(policy: PropagationPolicy): void;
  delete(policy: Pick<PropagationPolicy, 'metadata'>): void;
}

interface Indexed {
  policy: PropagationPolicy;
  keys: ReadonlySet<string>;
  idKey: string | undefined;
}

interface Entry {
  policy: PropagationPolicy;
  selector: PreparedSelector;
}

export function createPolicyIndex(policies: Iterable<PropagationPolicy> = []): PolicyIndex {
  const indexed = new Map<string, Indexed>();
  /** By key, then by policy. */
  const entries = new Map<string, Map<string, Entry[]>>();
  const byId = new Map<string, Map<string, PropagationPolicy>>();

  const index: PolicyIndex = {
    set(policy) {
      index.delete(policy);
      const own = keyOf(policy);
      const keys = new Set<string>();
      for (const selector of preparedSelectors(policy)) {
        const key = selectorKey(selector);
        keys.add(key);
        const held = below(entries, key);
        held.set(own, [...(held.get(own) ?? []), { policy, selector }]);
      }
      const claim = claimOf(policy);
      const idKey = claim && claimKey(claim);
      if (idKey !== undefined) below(byId, idKey).set(own, policy);
      indexed.set(own, { policy, keys, idKey });
    },
    delete(policy) {
      const own = keyOf(policy);
      const known = indexed.get(own);
      if (!known) return;
      indexed.delete(own);
      for (const key of known.keys) remove(entries, key, own);
      if (known.idKey !== undefined) remove(byId, known.idKey, own);
    },
    matches(template) {
      const best = new Map<string, PolicyMatch>();
      for (const key of templateKeys(template)) {
        for (const [own, held] of entries.get(key) ?? []) {
          for (const { policy, selector } of held) {
            if ((best.get(own)?.specificity ?? 0) >= selector.specificity) continue;
            if (!selector.matchesLabels(template.metadata.labels ?? {})) continue;
            best.set(own, { policy, specificity: selector.specificity });
          }
        }
      }
      return [...best.values()];
    },
    withId: (claim) => [...(byId.get(claimKey(claim))?.values() ?? [])],
  };
  for (const policy of policies) index.set(policy);
  return index;
}

/** The same without an index, for a few policies. */
export const scanOf = (policies: readonly PropagationPolicy[]): PolicySource => ({
  matches: (template) => policies.flatMap((policy) => matchOf(policy, template) ?? []),
  withId: (claim) =>
    policies.filter((policy) => {
      const own = claimOf(policy);
      return own !== undefined && claimKey(own) === claimKey(claim);
    }),
});

const claimKey = ({ by, id }: Claim): string => `${by} ${id}`;

/** None of the parts has a space in it. */
const keyText = (apiVersion: string, kind: string, namespace = '*', name = '*'): string =>
  `${apiVersion} ${kind} ${namespace} ${name}`;

const selectorKey = ({ apiVersion, kind, namespace, name }: PreparedSelector): string =>
  keyText(apiVersion, kind, namespace, name);

function templateKeys({ apiVersion, kind, metadata: { namespace, name } }: AnyObject): string[] {
  const anywhere = [keyText(apiVersion, kind, undefined, name), keyText(apiVersion, kind)];
  if (!namespace) return anywhere;
  return [keyText(apiVersion, kind, namespace, name), keyText(apiVersion, kind, namespace), ...anywhere];
}

function below<T>(maps: Map<string, Map<string, T>>, key: string): Map<string, T> {
  const found = maps.get(key);
  if (found) return found;
  const made = new Map<string, T>();
  maps.set(key, made);
  return made;
}

function remove<T>(maps: Map<string, Map<string, T>>, key: string, own: string): void {
  const found = maps.get(key);
  found?.delete(own);
  if (found?.size === 0) maps.delete(key);
}

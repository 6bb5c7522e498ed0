/** Decides which objects are in the scope of a ResourceQuota. */

import type { PodSpec } from '../kinds/pods/pod-spec.ts';
import { qosClassOf } from '../kinds/pods/qos-class.ts';
import type { KubeObject } from '../registry/kube-object.ts';

interface ScopeSelector {
  scopeName: string;
  operator: string;
  values?: string[];
}

export interface ResourceQuota extends KubeObject {
  spec?: {
    hard?: Record<string, string>;
    scopes?: string[];
    scopeSelector?: { matchExpressions?: ScopeSelector[] };
  };
  status?: { hard?: Record<string, string>; used?: Record<string, string> };
}

interface Scope {
  scopeName: string;
  operator: string;
  values: ReadonlySet<string>;
}

/** Cached per quota, as it is matched with many objects. */
const known = new WeakMap<object, readonly Scope[]>();

function scopesOf({ spec = {} }: ResourceQuota): readonly Scope[] {
  let all = known.get(spec);
  if (!all) {
    const named = Array.from(new Set(spec.scopes), (scopeName) => ({ scopeName, operator: 'Exists', values: [] }));
    const selected = spec.scopeSelector?.matchExpressions ?? [];
    all = [...named, ...selected].map(({ values = [], ...one }: ScopeSelector) => ({
      ...one,
      values: new Set(values),
    }));
    known.set(spec, all);
  }
  return all;
}

/** Scopes apply to pods: a quota with scopes counts nothing else. */
export function isInScope(quota: ResourceQuota, object: KubeObject, isPod: boolean): boolean {
  const all = scopesOf(quota);
  if (all.length === 0 || !isPod) return all.length === 0;
  const spec = (object['spec'] ?? {}) as PodSpec;
  let qosClass: string | undefined;
  const isBestEffort = (): boolean => {
    qosClass ??= qosClassOf(spec);
    return qosClass === 'BestEffort';
  };
  return all.every((selector) => matches(selector, spec, isBestEffort));
}

export const isTerminating = ({ activeDeadlineSeconds }: Pick<PodSpec, 'activeDeadlineSeconds'>): boolean =>
  (activeDeadlineSeconds ?? -1) >= 0;

function matches({ scopeName, operator, values }: Scope, spec: PodSpec, isBestEffort: () => boolean): boolean {
  switch (scopeName) {
    case 'Terminating':
      return isTerminating(spec);
    case 'NotTerminating':
      return !isTerminating(spec);
    case 'BestEffort':
      return isBestEffort();
    case 'NotBestEffort':
      return !isBestEffort();
    case 'PriorityClass':
      return matchesClass(spec.priorityClassName ?? '', operator, values);
    default:
      return false;
  }
}

function matchesClass(name: string, operator: string, values: ReadonlySet<string>): boolean {
  switch (operator) {
    case 'Exists':
      return name !== '';
    case 'DoesNotExist':
      return name === '';
    case 'In':
      return name !== '' && values.has(name);
    case 'NotIn':
      return !values.has(name);
    default:
      return false;
  }
}

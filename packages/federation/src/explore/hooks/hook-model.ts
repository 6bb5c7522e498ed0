/** A hook: a webhook that answers for kinds that the pipeline does not know, whichever of the two configurations it comes from. */

export const operations = [
  'replica',
  'status',
  'packing',
  'revising',
  'retaining',
  'aggregating',
  'healthy',
  'dependencies',
] as const;

export type Operation = (typeof operations)[number];

/** How requests and answers are written: as `ExploreReview`, or as Karmada's `ResourceInterpreterContext`. */
export type Codec = 'explore' | 'interpret';

export interface Hook {
  configuration: string;
  /** Unique in its configuration only. */
  name: string;
  codec: Codec;
  /** Undefined: the stored configuration has none that can be called, so every call fails. */
  client: HookClient | undefined;
  rules: readonly HookRule[];
  failurePolicy: FailurePolicy;
  timeoutSeconds: number;
  /** Of the review. Undefined: the stored configuration has none that the product speaks, so every call fails. */
  version: string | undefined;
}

export type FailurePolicy = 'Fail' | 'Ignore';

export type HookClient = (HookUrl | HookService) & {
  /** PEM. Undefined: the certificates that the system trusts. */
  ca?: string;
};

export interface HookUrl {
  at: 'url';
  url: string;
}

export interface HookService {
  at: 'service';
  namespace: string;
  name: string;
  port: number;
  path: string;
}

/** `*` in a list is all of them. */
export interface HookRule {
  operations: readonly Operation[];
  groups: readonly string[];
  versions: readonly string[];
  what: RuledKinds;
}

export type RuledKinds =
  | { by: 'resource'; resources: readonly string[]; scope: 'Cluster' | 'Namespaced' | '*' }
  | { by: 'kind'; kinds: readonly string[] };

/** What discovery knows of a kind. */
export interface KindFacts {
  plural: string;
  namespaced: boolean;
}

/** Undefined where the control plane does not serve the kind. */
export type FactsOfKind = (object: { apiVersion: string; kind: string }) => KindFacts | undefined;

export interface GroupVersion {
  group: string;
  version: string;
}

export function groupVersionOf(apiVersion: string): GroupVersion {
  const slash = apiVersion.indexOf('/');
  return { group: apiVersion.slice(0, Math.max(slash, 0)), version: apiVersion.slice(slash + 1) };
}

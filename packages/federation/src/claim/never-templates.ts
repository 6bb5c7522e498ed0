/** The objects that are never resource templates, even if a policy selects them (FED-19). */

import type { KubeObject } from '@fleet/client/kube-client.ts';

/** Exact: other groups below karmada.io are templates like any. */
const groups: ReadonlySet<string> = new Set([
  'cluster.karmada.io',
  'policy.karmada.io',
  'work.karmada.io',
  'config.karmada.io',
  'search.karmada.io',
  'apps.karmada.io',
  'networking.karmada.io',
  'autoscaling.karmada.io',
  'remedy.karmada.io',
  'operator.karmada.io',
  'cluster.kubesphere.io',
]);

const kinds: ReadonlySet<string> = new Set([' Event', 'events.k8s.io Event', 'coordination.k8s.io Lease']);

const namespaces: ReadonlySet<string> = new Set(['karmada-system', 'karmada-cluster']);
const namespacePrefixes = ['kube-', 'karmada-es-'];

/** Takes a `Resource`, too: kinds that are no templates are not even watched. */
export const isTemplateKind = ({ group, kind }: { group: string; kind: string }): boolean =>
  !groups.has(group) && !kinds.has(`${group} ${kind}`);

/** Cluster-scoped objects have no namespace, and a Namespace is one of them. */
export const isNeverTemplateNamespace = (namespace: string | undefined): boolean =>
  namespace !== undefined &&
  (namespaces.has(namespace) || namespacePrefixes.some((prefix) => namespace.startsWith(prefix)));

/** As in `apps` of `apps/v1`; empty for the core group. */
const groupOf = (apiVersion: string): string => apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')));

export const isNeverTemplate = ({ apiVersion = '', kind = '', metadata }: KubeObject): boolean =>
  !isTemplateKind({ group: groupOf(apiVersion), kind }) || isNeverTemplateNamespace(metadata.namespace);

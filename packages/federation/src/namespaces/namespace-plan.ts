/** Which namespaces of the control plane go to which members (FED-10). */

import type { OwnerReference } from '@fleet/client/kube-client.ts';
import type { AnyObject } from '../api/objects.ts';
import type { Work } from '../api/works.ts';
import { isNeverTemplateNamespace } from '../claim/never-templates.ts';
import { bindingIdOf } from '../work/marks.ts';
import { clusterOfSpace } from '../work/work-name.ts';

const skipLabel = 'namespace.karmada.io/skip-auto-propagation';

/** Any case of `true` counts, as in Karmada. */
export const isPropagated = ({ metadata: { name, labels } }: Pick<AnyObject, 'metadata'>): boolean =>
  name !== 'default' && !isNeverTemplateNamespace(name) && labels?.[skipLabel]?.toLowerCase() !== 'true';

export interface NamespaceMember {
  name: string;
  federated: boolean;
  leaving: boolean;
  /** Works can be made once the cluster has its execution space. */
  hasSpace: boolean;
}

interface NamespaceState {
  namespace: AnyObject;
  members: readonly NamespaceMember[];
  /** The clusters to which objects of the namespace are scheduled. Undefined: the namespace goes to all members. */
  chosen: ReadonlySet<string> | undefined;
  /** Something in it is to stay in members that nothing is propagated to any more. */
  preserves: boolean;
  /** Those that the namespace owns. */
  works: readonly Work[];
}

interface NamespacePlan {
  /** Members whose Work is made, or kept up to date. */
  give: string[];
  /** Works of members that keep the namespace: for preserved objects, or since a member that is no longer federated may use it itself. */
  release: Work[];
  /** Works of members that leave, which waits for them. */
  remove: Work[];
}

/**
 * A member keeps a namespace even if nothing in it is scheduled there any more, or if the label now excludes it: deleting the namespace
 * would delete all objects in it.
 */
export function planOf({ namespace, members, chosen, preserves, works }: NamespaceState): NamespacePlan {
  const isGiven = isPropagated(namespace) && namespace.metadata.deletionTimestamp === undefined;
  const memberNamed = new Map(members.map((member) => [member.name, member]));
  const own = works.filter((work) => bindingIdOf(work) === undefined);
  const memberOf = (work: Work) => memberNamed.get(clusterOfSpace(work.metadata.namespace ?? '') ?? '');
  const given = new Set(own.map((work) => memberOf(work)?.name));
  return {
    give: members
      .filter(({ federated, leaving, hasSpace }) => isGiven && federated && !leaving && hasSpace)
      .filter(({ name }) => chosen === undefined || chosen.has(name) || given.has(name))
      .map(({ name }) => name),
    release: own.filter((work) => {
      const member = memberOf(work);
      return member && (member.leaving ? preserves : !member.federated);
    }),
    remove: own.filter((work) => !preserves && memberOf(work)?.leaving),
  };
}

export const namespaceOwner = ({ metadata }: AnyObject): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  name: metadata.name,
  uid: metadata.uid ?? '',
  controller: true,
  blockOwnerDeletion: true,
});

/** The names of the namespaces that a Work belongs to: one or none. */
export const namespacesOf = ({ metadata }: Pick<Work, 'metadata'>): readonly string[] =>
  (metadata.ownerReferences ?? [])
    .filter(({ kind, controller }) => kind === 'Namespace' && controller)
    .map(({ name }) => name);

/** Names of the control plane that a Cluster lets through to its member as they are (IMP-5). */

import type { KubeObject } from '@fleet/client/kube-client.ts';
import { perObject } from '@fleet/kube/per-object.ts';

/** Names of users and groups, with commas or white space between them; `*` at the end of one stands for any rest. */
export const allowedIdentitiesAnnotation = 'fleet.karmada.io/allowed-identities';

/** What such a name is in a member would be far more than who wrote a wildcard may have had in mind. */
const oneByOne = /^system:(masters$|serviceaccounts?:kube-system(:|$))/;

/** Others than these are not filtered, or are the product's own, which no Cluster can give away. */
const isOfKubernetes = (entry: string): boolean => entry.startsWith('system:');

export interface AllowedIdentities {
  has(name: string): boolean;
}

const none: AllowedIdentities = { has: () => false };

function read(annotation: string): AllowedIdentities {
  const entries = annotation.split(/[\s,]+/).filter(isOfKubernetes);
  const names = new Set(entries.filter((entry) => !entry.endsWith('*')));
  const beginnings = entries.filter((entry) => entry.endsWith('*')).map((entry) => entry.slice(0, -1));
  return {
    has: (name) =>
      names.has(name) || (!oneByOne.test(name) && beginnings.some((beginning) => name.startsWith(beginning))),
  };
}

/** A Cluster that changes is another object. */
const allowedBy = perObject(({ metadata }: KubeObject): AllowedIdentities => {
  const annotation = metadata.annotations?.[allowedIdentitiesAnnotation];
  return annotation ? read(annotation) : none;
});

export const allowedIdentities = (cluster: KubeObject | undefined): AllowedIdentities =>
  cluster ? allowedBy(cluster) : none;

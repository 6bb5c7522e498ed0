/** Reserved names of the control plane that a Cluster allows to be sent to its member unchanged (IMP-5). */

import type { KubeObject } from '@fleet/client/kube-client.ts';
import { perObject } from '@fleet/kube/per-object.ts';

/** Names of users and groups, separated by commas or white space. A `*` at the end of a name matches any rest. */
export const allowedIdentitiesAnnotation = 'fleet.karmada.io/allowed-identities';

/** Never matched by a wildcard: these names mean more in a member than the author of the wildcard probably intended. */
const oneByOne = /^system:(masters$|serviceaccounts?:kube-system(:|$))/;

/** Only these are filtered. The product's own reserved names cannot be allowed by any Cluster. */
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

/** Cached per object: a changed Cluster is another object. */
const allowedBy = perObject(({ metadata }: KubeObject): AllowedIdentities => {
  const annotation = metadata.annotations?.[allowedIdentitiesAnnotation];
  return annotation ? read(annotation) : none;
});

export const allowedIdentities = (cluster: KubeObject | undefined): AllowedIdentities =>
  cluster ? allowedBy(cluster) : none;

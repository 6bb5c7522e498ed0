/** Checks the names of members. */

import { UsageError } from './errors.ts';

const dnsLabel = /^[a-z0-9](?:[-a-z0-9]{0,46}[a-z0-9])?$/;
const reserved: readonly string[] = ['karmada', 'all', 'host', 'fleet', 'clusterspace'];

/** Whether a cluster can be called so at all: what else is typed, such as a slash or nothing, must not become a path. */
export const isClusterName = (name: string): boolean => dnsLabel.test(name);

/** Refuses, before anything is touched, a name that the control plane would refuse (NAME-9). */
export function checkClusterName(name: string): void {
  if (reserved.includes(name)) throw new UsageError(`the name "${name}" is reserved; choose another one`);
  if (isClusterName(name)) return;
  throw new UsageError(
    `"${name}" is no name for a cluster: it takes at most 48 lower case letters, digits and '-', with a letter or digit at both ends`,
  );
}

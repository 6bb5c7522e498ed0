/** The objects that `fleet tree` reads. */

import type { Binding } from '@fleet/federation/api/bindings.ts';
import type { AnyObject } from '@fleet/federation/api/objects.ts';
import type { OverridePolicy, PropagationPolicy } from '@fleet/federation/api/policies.ts';
import type { Work } from '@fleet/federation/api/works.ts';
import type { FederatedMember } from '../federated-members.ts';

export interface Reading {
  template: AnyObject;
  /** Of the template's namespace, and those of the cluster. */
  policies: readonly PropagationPolicy[];
  clusterOverrides: readonly OverridePolicy[];
  overrides: readonly OverridePolicy[];
  binding: Binding | undefined;
  works: readonly Work[];
  members: readonly FederatedMember[];
  /** About the template and its binding, the newest first. */
  warnings: readonly Warning[];
  /** By cluster: of those that have, or are to have, the object. */
  objects: ReadonlyMap<string, MemberObject>;
}

export interface Warning {
  reason: string;
  message: string;
}

export type MemberObject =
  /** With pods only where it is not healthy. */
  { is: 'there'; object: AnyObject; pods: readonly AnyObject[] } | { is: 'missing' } | { is: 'unread'; why: string };

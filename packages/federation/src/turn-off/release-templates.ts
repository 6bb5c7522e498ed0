/** Removes the claims of policies from all templates (FED-3, FED-38). */

import { keyOf } from '@fleet/client/informer.ts';
import { isStatus } from '@fleet/client/kube-client.ts';
import type { AnyObject } from '../api/objects.ts';
import { claimLabelKeys, claimPatch } from '../claim/claim-marks.ts';
import { isTemplateKind } from '../claim/never-templates.ts';
import { collectionPath, type Resource } from '../kinds/kinds.ts';
import type { Pipeline } from '../pipeline.ts';

/** A kind of which not all templates are released. */
export interface Unreleased {
  /** As kubectl names it. */
  resource: string;
  error: unknown;
  /** It cannot be listed, and that is no failure that passes: it is not waited for. */
  isRefused: boolean;
}

type Parts = Pick<Pipeline, 'client' | 'templates'>;

/** A kind that fails does not block the others. Kinds in `released` are skipped, and finished kinds are added to it. */
export async function releaseTemplates({ client, templates }: Parts, released: Set<string>): Promise<Unreleased[]> {
  const kinds = [...templates.kinds.all()];
  // Otherwise claims would be left over unnoticed.
  if (kinds.length === 0) throw new Error('what the control plane serves is not known yet');
  const unreleased: Unreleased[] = [];
  for (const kind of kinds.filter(isClaimable)) {
    const path = collectionPath(kind);
    if (released.has(path)) continue;
    const failure = await releaseKind(client, kind);
    if (failure) unreleased.push({ resource: nameOf(kind), ...failure });
    else released.add(path);
  }
  return unreleased;
}

const isClaimable = (resource: Resource): boolean =>
  resource.preferred &&
  isTemplateKind(resource) &&
  ['list', 'watch', 'patch'].every((verb) => resource.verbs.includes(verb));

const nameOf = ({ plural, group }: Resource): string => (group === '' ? plural : `${plural}.${group}`);

type Failure = Omit<Unreleased, 'resource'>;

async function releaseKind(client: Parts['client'], resource: Resource): Promise<Failure | undefined> {
  const claimed = new Map<string, AnyObject>();
  for (const label of claimLabelKeys) {
    const path = `${collectionPath(resource)}?labelSelector=${encodeURIComponent(label)}`;
    try {
      for (const template of (await client.list<AnyObject>(path)).items) claimed.set(keyOf(template), template);
    } catch (error) {
      // A kind that is not served any more has none.
      if (!isStatus(error, 404)) return { error, isRefused: isStatus(error, 403) || isStatus(error, 405) };
    }
  }
  let failure: Failure | undefined;
  for (const { metadata } of claimed.values()) {
    const path = `${collectionPath(resource, metadata.namespace)}/${encodeURIComponent(metadata.name)}`;
    const patch = { metadata: { resourceVersion: metadata.resourceVersion, ...claimPatch(undefined) } };
    try {
      await client.patch(path, 'merge', patch);
    } catch (error) {
      if (!isStatus(error, 404)) failure = { error, isRefused: false };
    }
  }
  return failure;
}

/** Decides to which members an access review is sent, and which permission its subject needs to reach them (AUTHZ-4). */

import { type BodyReading, bodyOf } from './body-reading.ts';
import { type Mention, oneCluster } from './mention.ts';
import { controlPlaneGroups } from './owned-groups.ts';
import type { Registrations } from './registered.ts';
import { type ReviewSpec, reviewGroup } from './review-spec.ts';
import { permissionFor } from './streams.ts';
import { splitName } from './suffixed-name.ts';
import {
  type Ask,
  type ClusterName,
  karmada,
  type ParsedTarget,
  type RequiredPermission,
  type Subject,
  type Target,
} from './target.ts';

/** In the order in which a URL would name them. */
function mentionsIn({ resourceAttributes, namespace }: ReviewSpec): Mention[] {
  return [resourceAttributes?.name, resourceAttributes?.namespace, namespace].flatMap((text = '') => {
    const { cluster } = splitName(text);
    return cluster === undefined ? [] : [{ cluster, by: 'body' as const, text }];
  });
}

/** The control plane decides on its own groups, and on impersonation. */
function isForControlPlane({ resourceAttributes, nonResourceAttributes }: ReviewSpec): boolean {
  if (nonResourceAttributes) return true;
  if (!resourceAttributes) return false;
  const { group = '', verb } = resourceAttributes;
  return controlPlaneGroups.has(group) || group === reviewGroup || verb === 'impersonate';
}

/** All verbs of requests. */
const requestVerbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

/** The proxy's permissions have the verbs of the outer request, which can be no list, watch or deletecollection (AUTHZ-2). */
const outerVerbs: ReadonlyMap<string, string> = new Map([
  ['list', 'get'],
  ['watch', 'get'],
  ['deletecollection', 'delete'],
]);

function permissionToAsk(
  { resource, name }: RequiredPermission,
  verb: string,
  { resourceAttributes = {} }: ReviewSpec,
): RequiredPermission {
  const { group = '', subresource, resource: asked = '' } = resourceAttributes;
  const ask: Ask = { is: 'resource', ...unsaid, verb: 'get', group, resource: asked, subresource };
  const needed = resource === 'clusterspaces' ? verb : (outerVerbs.get(verb) ?? verb);
  return { ...permissionFor(resource, needed, ask), ...(name === undefined ? {} : { name }) };
}

/** At the aggregation endpoint: the members where the reviewed resource is registered; undefined if the control plane serves it. */
function registeredWhere(
  { resourceAttributes }: ReviewSpec,
  registrations: Registrations,
): ReadonlySet<ClusterName> | undefined {
  const { group = '', resource = '', version = '', namespace } = resourceAttributes ?? {};
  const versions = registrations.versionsOf({ group, resource });
  // Most reviews have no version.
  const meant = version === '' || version === '*' ? versions : versions.filter((one) => one === version);
  if (meant.length === 0) return undefined;
  const asked = { group, resource, namespace: namespace || undefined };
  return new Set(meant.flatMap((one) => [...registrations.clustersOf({ ...asked, version: one })]));
}

/** In these reviews nothing changes the permission that is needed to reach a member. */
const unsaid = { version: '', namespace: undefined, name: undefined, rest: [] };

/** Undefined for an empty review. */
function verbsOf({ resourceAttributes, nonResourceAttributes }: ReviewSpec, resource: string): string[] | undefined {
  if (resource === 'selfsubjectrulesreviews') return ['*', ...requestVerbs];
  const attributes = resourceAttributes ?? nonResourceAttributes;
  return attributes && [attributes.verb ?? ''];
}

const subjectOf = ({ user = '', uid, groups, extra }: ReviewSpec): Subject => ({ name: user, uid, groups, extra });

/** `mentions`: those of the URL. */
export function completeReview(
  parsed: ParsedTarget,
  mentions: readonly Mention[],
  reading: BodyReading | undefined,
  registrations: Registrations,
): Target {
  const { mentions: _, place: __, ...rest } = parsed;
  const resource = rest.ask.is === 'resource' ? rest.ask.resource : '';
  const isAboutSelf = resource.startsWith('self');
  const spec = reading?.spec;
  const cluster = oneCluster([...mentions, ...(spec ? mentionsIn(spec) : [])]);
  const target = {
    ...rest,
    view: { names: 'plain' as const },
    ...(reading ? { body: bodyOf(reading) } : {}),
  };
  const verbs = spec && verbsOf(spec, resource);
  const isAggregated = rest.permission.resource === 'proxying/proxy';
  const where = spec && isAggregated ? registeredWhere(spec, registrations) : undefined;
  const isUnregistered = isAggregated && !where;
  if (
    !verbs ||
    cluster === karmada ||
    (cluster === undefined && (!isAboutSelf || isUnregistered || isForControlPlane(spec)))
  ) {
    return { ...target, place: { at: 'one', cluster: cluster ?? karmada } };
  }
  return {
    ...target,
    place: {
      at: 'review',
      is: resource === 'selfsubjectrulesreviews' ? 'rules' : 'access',
      clusters: cluster === undefined ? {} : { only: [cluster] },
      ...(where ? { among: [...where] } : {}),
      verbs: verbs.map((verb) => ({ verb, permission: permissionToAsk(rest.permission, verb, spec) })),
      ...(isAboutSelf ? {} : { subject: subjectOf(spec) }),
    },
  };
}

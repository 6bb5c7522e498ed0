/** Merges rules reviews: what any reachable member allows, and what the control plane allows in its own groups. */

import type { ReviewPermissions } from '../authz/authorize.ts';
import { controlPlaneGroups } from '../target/owned-groups.ts';
import { streamsOf } from '../target/streams.ts';
import { silentNote } from './access.ts';
import type { Opinion } from './opinion.ts';

interface ResourceRule {
  verbs: readonly string[];
  apiGroups?: readonly string[];
  resources?: readonly string[];
  resourceNames?: readonly string[];
}

interface NonResourceRule {
  verbs: readonly string[];
  nonResourceURLs?: readonly string[];
}

/** The status of a rules review. */
export interface Rules {
  resourceRules: readonly ResourceRule[];
  nonResourceRules: readonly NonResourceRule[];
  incomplete: boolean;
  evaluationError?: string;
}

/** Limited to the verbs with which the user is allowed to reach the member. */
function within(rule: ResourceRule, reach: ReadonlySet<string>): ResourceRule[] {
  if (reach.has('*')) return [rule];
  const verbs = rule.verbs.includes('*') ? [...reach] : rule.verbs.filter((verb) => reach.has(verb));
  if (verbs.length === 0) return [];
  return reach.has('create') ? [{ ...rule, verbs }] : withoutStreams({ ...rule, verbs });
}

/** Streams that are opened with GET also require create (AUTHZ-2). A rule for all subresources stays, as it cannot exclude some. */
function withoutStreams({ verbs, resources = [], ...rule }: ResourceRule): ResourceRule[] {
  const opened = streamsOf(rule.apiGroups ?? []);
  const opens = (resource: string) => opened.has(resource.split('/', 2)[1] ?? '');
  const narrowed = [
    { ...rule, verbs, resources: resources.filter((resource) => !opens(resource)) },
    { ...rule, verbs: verbs.filter((verb) => verb !== 'get'), resources: resources.filter(opens) },
  ];
  return narrowed.filter((one) => one.verbs.length > 0 && one.resources.length > 0);
}

/** One member's rules. */
export const rulesWithin = (
  { resourceRules, nonResourceRules, incomplete = false, ...rest }: Partial<Rules>,
  reach: ReadonlySet<string>,
): Rules => ({
  ...rest,
  resourceRules: (resourceRules ?? []).flatMap((rule) => within(rule, reach)),
  nonResourceRules: nonResourceRules ?? [],
  incomplete,
});

/** The control plane's rules for other groups do not apply to this view. */
function ofControlPlane({ apiGroups = [], ...rule }: ResourceRule): ResourceRule[] {
  const groups = apiGroups.includes('*')
    ? [...controlPlaneGroups]
    : apiGroups.filter((group) => controlPlaneGroups.has(group));
  return groups.length === 0 ? [] : [{ ...rule, apiGroups: groups }];
}

const distinct = <T>(rules: readonly T[]): T[] => [
  ...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values(),
];

const rulesIn = (opinion: Opinion): Partial<Rules> => (opinion.is === 'status' ? opinion.status : {});

/** Always marked incomplete, as the list does not show in which cluster a rule holds. */
export function uniteRules(own: Opinion, members: readonly Opinion[], permissions: ReviewPermissions): Rules {
  const ownRules = rulesIn(own);
  const byMembers = members.map((opinion) =>
    rulesWithin(rulesIn(opinion), permissions.get(opinion.cluster) ?? new Set()),
  );
  const note = 'a rule may hold in some clusters only: name one, as in --namespace "default.clusterspace.{cluster}"';
  return {
    resourceRules: distinct([
      ...(ownRules.resourceRules ?? []).flatMap(ofControlPlane),
      ...byMembers.flatMap(({ resourceRules }) => resourceRules),
    ]),
    nonResourceRules: ownRules.nonResourceRules ?? [],
    incomplete: true,
    evaluationError: [note, ...silentNote([own, ...members])].join('; '),
  };
}

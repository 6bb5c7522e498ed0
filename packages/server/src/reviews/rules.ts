/** Many lists of rules as one: what any member allows to who reaches it, and what the control plane allows in its own groups. */

import type { ReviewRights } from '../authz/authorize.ts';
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

/** As far as the control plane lets its user reach the member. */
function within(rule: ResourceRule, reach: ReadonlySet<string>): ResourceRule[] {
  if (reach.has('*')) return [rule];
  const verbs = rule.verbs.includes('*') ? [...reach] : rule.verbs.filter((verb) => reach.has(verb));
  if (verbs.length === 0) return [];
  return reach.has('create') ? [{ ...rule, verbs }] : withoutStreams({ ...rule, verbs });
}

/** Streams that GET opens need create as well (AUTHZ-2). A rule for all subresources stays: it cannot say which not. */
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

/** In other groups the control plane's rules say nothing about this view. */
function ofControlPlane({ apiGroups = [], ...rule }: ResourceRule): ResourceRule[] {
  const groups = apiGroups.includes('*')
    ? [...controlPlaneGroups]
    : apiGroups.filter((group) => controlPlaneGroups.has(group));
  return groups.length === 0 ? [] : [{ ...rule, apiGroups: groups }];
}

const distinct = <T>(rules: readonly T[]): T[] => [
  ...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values(),
];

const rulesIn = (opinion: Opinion): Partial<Rules> => (opinion.says === 'status' ? opinion.status : {});

/** Always incomplete: that a rule stands here does not say where it holds. */
export function uniteRules(own: Opinion, members: readonly Opinion[], rights: ReviewRights): Rules {
  const ownRules = rulesIn(own);
  const byMembers = members.map((opinion) => rulesWithin(rulesIn(opinion), rights.get(opinion.cluster) ?? new Set()));
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

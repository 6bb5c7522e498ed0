/** Serves access reviews over members: each is sent as the user, and counts if the user is allowed to reach the member (AUTHZ-4). */

import { acceptsJson, parseAccept } from '@fleet/kube/negotiate.ts';
import { notAcceptable } from '@fleet/kube/status.ts';
import type { ReviewPermissions } from '../authz/authorize.ts';
import { type Incoming, jsonReply, type Reply } from '../http/message.ts';
import { pass } from '../pass/pass.ts';
import { type ClusterName, karmada, type Reviewed } from '../target/target.ts';
import { type Access, anyAccess } from './access.ts';
import { askPlace, opinionOf, type Question } from './opinion.ts';
import { type Rules, rulesWithin, uniteRules } from './rules.ts';

export interface ReviewRequest extends Question {
  review: Reviewed;
  permissions: ReviewPermissions;
}

const kinds: Readonly<Record<string, string>> = {
  selfsubjectaccessreviews: 'SelfSubjectAccessReview',
  selfsubjectrulesreviews: 'SelfSubjectRulesReview',
  subjectaccessreviews: 'SubjectAccessReview',
  localsubjectaccessreviews: 'LocalSubjectAccessReview',
};

export async function review(request: ReviewRequest): Promise<Reply> {
  const { review: asked, permissions } = request;
  const reachable = [...permissions].filter(([, verbs]) => verbs.size > 0).map(([cluster]) => cluster);
  if (asked.clusters.only) {
    const [cluster] = reachable;
    return cluster === undefined ? answer(request, unreached(asked)) : oneOpinion(request, cluster);
  }
  if (asked.is === 'rules') {
    const own = opinionOf(request, karmada);
    const opinions = reachable.map((cluster) => (cluster === karmada ? own : opinionOf(request, cluster)));
    return answer(request, uniteRules(await own, await Promise.all(opinions), permissions));
  }
  const opinions = reachable.map((cluster) => opinionOf(request, cluster));
  const nobody = permissions.size > 0 && reachable.length === 0;
  return answer(request, nobody ? unreached(asked) : anyAccess(await Promise.all(opinions)));
}

/** The answer of a named place is passed on, errors included. */
async function oneOpinion(request: ReviewRequest, cluster: ClusterName): Promise<Reply> {
  const { review: asked, permissions, target, incoming } = request;
  const verbs = permissions.get(cluster)!;
  const countsWhole = asked.is === 'access' || verbs.has('*');
  if (countsWhole && !target.body?.bytes.includes('.clusterspace.')) {
    return pass(request.routeTo(cluster), target, incoming);
  }
  const { reply, status } = await askPlace(request, cluster);
  if (status === undefined) return reply;
  return answer(request, asked.is === 'access' ? (status as Access) : rulesWithin(status as Partial<Rules>, verbs));
}

/** The answer if the control plane does not allow the user to reach any of the members. */
function unreached({ is, verbs, clusters }: Reviewed): Access | Rules {
  const [cluster] = clusters.only ?? [];
  const where = cluster === undefined ? 'any cluster' : `cluster "${cluster}"`;
  const [missing] = verbs;
  if (is === 'rules') {
    const evaluationError = `no permission to reach ${where}`;
    return { resourceRules: [], nonResourceRules: [], incomplete: false, evaluationError };
  }
  const group = missing?.permission.resource === 'proxying/proxy' ? 'search.karmada.io' : 'cluster.karmada.io';
  const reason = `no permission to ${missing?.permission.verb} ${missing?.permission.resource} in group ${group} for ${where}`;
  return { allowed: false, reason };
}

/** The answer repeats the review as the client wrote it, including suffixes. */
function answer({ target, incoming }: ReviewRequest, status: Access | Rules): Reply {
  if (!acceptsJsonAnswer(incoming)) throw notAcceptable(['application/json']);
  const { ask, body, wire } = target;
  const { spec } = JSON.parse(String(body?.read?.json)) as { spec: unknown };
  const [, , group, version] = wire.path.split('/');
  const kind = ask.is === 'resource' ? kinds[ask.resource] : undefined;
  return jsonReply(201, { kind, apiVersion: `${group}/${version}`, metadata: {}, spec, status });
}

const acceptsJsonAnswer = ({ headers: { accept } }: Incoming): boolean =>
  parseAccept(accept === undefined ? undefined : [accept].flat().join(',')).some(acceptsJson);

/** Serves a plain name with federation on: the template, or an error that names members' objects of that name (FED-39). */

import { setTimeout as delay } from 'node:timers/promises';
import { abortingWith } from '@fleet/client/abort.ts';
import { errorOf } from '@fleet/client/kube-client.ts';
import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import { notFound, StatusError } from '@fleet/kube/status.ts';
import type { Incoming, PlainReply, Reply } from '../http/message.ts';
import { pass, type Route } from '../pass/pass.ts';
import { wholeAnswer } from '../pass/whole-answer.ts';
import { suffixOf } from '../target/suffixed-name.ts';
import { type ClusterName, karmada, type PlacelessTarget } from '../target/target.ts';
import { lookTarget, seek } from './find.ts';

export interface PassTemplateAsk {
  target: PlacelessTarget;
  /** The members whose names the user is allowed to see. */
  members(): Promise<readonly ClusterName[]>;
  routeTo: (cluster: ClusterName) => Route;
  /** The route for looking up an object in a member. Throws if it cannot be tried. */
  lookIn: (cluster: ClusterName, target: PlacelessTarget) => Route;
  incoming: Incoming;
}

/** In milliseconds. The answer is an error anyway, so it does not wait for slow or unreachable members. */
const patience = 1_000;

export async function passTemplate(asked: PassTemplateAsk): Promise<Reply> {
  const { target, routeTo, incoming } = asked;
  const { ask } = target;
  const reply = await pass(routeTo(karmada), target, incoming);
  if (reply.is !== 'plain' || ask.is !== 'resource' || ask.name === undefined) return reply;
  if (reply.status !== 404 && !runsInMembers(ask, reply.status)) return reply;
  const names = await namesInMembers(asked, ask);
  if (names.length === 0) return reply;
  const { code, reason, message, details } = await errorIn(reply, ask);
  const quoted = names.map((one) => `"${one}"`).join(', ');
  throw new StatusError(code, reason, `${message}: members have ${quoted}`, details);
}

/** Looked up as the user, who so learns of no object that they are not allowed to see. In the order of clusters. */
async function namesInMembers(asked: PassTemplateAsk, ask: ResourceRequest): Promise<string[]> {
  const { target, lookIn, incoming } = asked;
  const looking = lookTarget(target, ask);
  const given = abortingWith(incoming.signal);
  const having = new Set<ClusterName>();
  const clusters = await asked.members();
  const look = async (cluster: ClusterName) => {
    const request = { ask, method: 'GET', clusters: [cluster], signal: given.signal };
    try {
      const sought = await seek({ ...request, routeTo: () => lookIn(cluster, looking) });
      if (sought.having.length > 0) having.add(cluster);
    } catch {
      // Refused, or not answered in time: it is not named.
    }
  };
  await Promise.race([Promise.all(clusters.map(look)), delay(patience, undefined, { signal: given.signal })]);
  given.abort(new Error('the answer does not wait for members'));
  return clusters.filter((cluster) => having.has(cluster)).map((cluster) => (ask.name ?? '') + suffixOf(cluster));
}

const streams: ReadonlySet<string | undefined> = new Set(['log', 'exec', 'attach', 'portforward']);

/** Pods of a template run in members. This is how an API server answers that has no pods, or no node for this one. */
const runsInMembers = ({ group, resource, subresource }: ResourceRequest, status: number): boolean =>
  group === '' && resource === 'pods' && streams.has(subresource) && (status === 400 || status === 501);

/** With the control plane's message if it can be read: the client may have requested another form than JSON. */
async function errorIn(reply: PlainReply, ask: ResourceRequest): Promise<StatusError> {
  using answer = await wholeAnswer(reply);
  const error = errorOf(reply.status, answer.view());
  const isRead = error.code !== 404 || error.reason === 'NotFound';
  return isRead ? error : notFound(ask, ask.name ?? '');
}

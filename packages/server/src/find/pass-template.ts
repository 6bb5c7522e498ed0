/** A plain name with federation on: the template in the control plane. If there is none, members' objects of that name are named (FED-39). */

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
  /** Those that the user may be told of. */
  members(): Promise<readonly ClusterName[]>;
  routeTo: (cluster: ClusterName) => Route;
  /** The way on which a member is looked in. Throws where one cannot be tried. */
  lookIn: (cluster: ClusterName, target: PlacelessTarget) => Route;
  incoming: Incoming;
}

/** In milliseconds. An answer that is an error anyway does not wait for members that are slow, or cannot be reached. */
const patience = 1_000;

export async function passTemplate(asked: PassTemplateAsk): Promise<Reply> {
  const { target, routeTo, incoming } = asked;
  const { ask } = target;
  const reply = await pass(routeTo(karmada), target, incoming);
  if (reply.is !== 'plain' || ask.is !== 'resource' || ask.name === undefined) return reply;
  if (reply.status !== 404 && !runsElsewhere(ask, reply.status)) return reply;
  const names = await namesInMembers(asked, ask);
  if (names.length === 0) return reply;
  const { code, reason, message, details } = await errorIn(reply, ask);
  const quoted = names.map((one) => `"${one}"`).join(', ');
  throw new StatusError(code, reason, `${message}: members have ${quoted}`, details);
}

/** As the user, so that nobody learns of what they may not see. In the order of clusters. */
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
      // Refused, or given up: it is not named.
    }
  };
  await Promise.race([Promise.all(clusters.map(look)), delay(patience, undefined, { signal: given.signal })]);
  given.abort(new Error('the answer does not wait for members'));
  return clusters.filter((cluster) => having.has(cluster)).map((cluster) => (ask.name ?? '') + suffixOf(cluster));
}

const streams: ReadonlySet<string | undefined> = new Set(['log', 'exec', 'attach', 'portforward']);

/** A pod that is a template runs in members. So answers an API server that has no pods, or no node for this one. */
const runsElsewhere = ({ group, resource, subresource }: ResourceRequest, status: number): boolean =>
  group === '' && resource === 'pods' && streams.has(subresource) && (status === 400 || status === 501);

/** In the control plane's words, where they can be read: it may have been asked for another form than JSON. */
async function errorIn(reply: PlainReply, ask: ResourceRequest): Promise<StatusError> {
  using answer = await wholeAnswer(reply);
  const error = errorOf(reply.status, answer.view());
  const isRead = error.code !== 404 || error.reason === 'NotFound';
  return isRead ? error : notFound(ask, ask.name ?? '');
}

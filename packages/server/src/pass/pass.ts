/** Serves one place: sends the request as the user, and returns the answer's bytes unchanged, or as a suffixed view shows them. */

import { abortingWith } from '@fleet/client/abort.ts';
import type { BytesReply, Headers, Upstream, UpstreamCall } from '@fleet/client/upstream.ts';
import { acceptOnlyJson } from '@fleet/kube/negotiate.ts';
import { badRequest, notAcceptable } from '@fleet/kube/status.ts';
import type { Stripped } from '../bodies/body-work.ts';
import { compressed } from '../http/gzip.ts';
import type { Incoming, PlainReply, Reply } from '../http/message.ts';
import { PushedStream } from '../http/pushed-stream.ts';
import { asWebSocket } from '../http/websocket.ts';
import type { KnownKinds } from '../present/asked-objects.ts';
import { type ClusterName, type PlacelessTarget, type TargetBody, wireUrl } from '../target/target.ts';
import { answerHeaders, isOfOrigin } from './answer-headers.ts';
import { isLongRunning, isOpaque, isProxied } from './long-running.ts';
import { type Outgoing, outgoing } from './outgoing.ts';
import { isShownAsItIs, present, presentErrors, shownBy } from './presented.ts';
import { isRedirect, locationWithin, redirectRefused } from './redirect.ts';
import { credentialRefused, type Destination, unanswered } from './unanswered.ts';

export interface Route extends Destination {
  upstream: Upstream;
  /** The user's identity headers. */
  identity: Headers;
  /** Changes a request's body for this place. */
  strip(body: TargetBody, signal: AbortSignal): Promise<Stripped>;
  kinds: KnownKinds;
  /** The positions of the view's clusters: an object shows them all as its version (RV-4). */
  positions?: ReadonlyMap<ClusterName, string>;
  /** Pages behind proxies are allowed to run with this server's origin (SEC-1). */
  openPages?: boolean;
}

const answerDeadline = 60_000;
const tooLate = new Error('no answer in time');

export async function pass(route: Route, target: PlacelessTarget, incoming: Incoming): Promise<Reply> {
  // After the head of an upgrade the connection is no longer HTTP, so the end of a body cannot be found.
  if (incoming.upgrade && incoming.body) throw badRequest('a request to change protocols must have no body');
  const request = await outgoing(route, target, incoming);
  const shown = shownBy(route, target);
  if (isShownAsItIs(shown)) return forward(route, target, incoming, request);
  const accept = acceptOnlyJson(acceptHeader(incoming.headers));
  if (isOpaque(target)) {
    // In a stream only errors can have a form, and names are put into JSON only.
    const isChosen = accept !== undefined && !isProxied(target) && shown.view.names !== 'plain';
    const asked = isChosen ? { ...request, headers: { ...request.headers, accept } } : request;
    return presentErrors(await forward(route, target, incoming, asked), shown);
  }
  if (accept === undefined) throw notAcceptable(['application/json']);
  const headers = { ...request.headers, accept, 'accept-encoding': 'identity' };
  // The member is asked for a stream of lines, into which names can be put.
  const answer = await forward(route, target, { ...incoming, upgrade: false }, { ...request, headers });
  const reply = await present(answer, shown, target);
  if (incoming.upgrade && isWatch(target) && reply.is === 'plain') return asWebSocket(reply, incoming);
  // A rewritten answer is compressed by this server: the member was asked not to.
  return isLongRunning(target) ? reply : compressed(reply, incoming.headers);
}

const acceptHeader = ({ accept }: Headers): string | undefined =>
  accept === undefined ? undefined : [accept].flat().join(',');

async function forward(route: Route, target: PlacelessTarget, incoming: Incoming, request: Outgoing): Promise<Reply> {
  const given = abortingWith(incoming.signal);
  const deadline = isLongRunning(target) ? undefined : setTimeout(() => given.abort(tooLate), answerDeadline);
  const call: UpstreamCall = {
    method: target.wire.method,
    path: wireUrl(target.wire),
    ...request,
    signal: given.signal,
  };
  try {
    if (incoming.upgrade) return await upgrade(route, target, call, incoming.headers);
    return plainReply(route, target, await route.upstream.call(call));
  } catch (error) {
    if (incoming.signal.aborted) throw error;
    throw unanswered(route, target, error, given.signal.reason === tooLate);
  } finally {
    clearTimeout(deadline);
  }
}

/** The two upgrade headers are hop-by-hop, so they are set again for the next connection. */
async function upgrade(route: Route, target: PlacelessTarget, call: UpstreamCall, client: Headers): Promise<Reply> {
  const headers = { ...call.headers, connection: 'Upgrade', upgrade: client['upgrade'] };
  const reply = await route.upstream.upgrade({ ...call, headers });
  if (reply.is === 'upgraded') return { ...reply, headers: notOfOrigin(reply.headers) };
  const plain = plainReply(route, target, reply.reply);
  // A server that does not upgrade, such as the embedded control plane, answers a watch in lines.
  return isWatch(target) && isJson(plain.headers) ? asWebSocket(plain, { headers: client }) : plain;
}

const notOfOrigin = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !isOfOrigin(name)));

const isJson = ({ 'content-type': type }: Headers): boolean => String(type).startsWith('application/json');

/** Watches are pushed: there are thousands, with small chunks for all of them at the same time. */
const isWatch = ({ ask }: PlacelessTarget): boolean => ask.is === 'resource' && ask.verb === 'watch';

const isReading = ({ wire }: PlacelessTarget): boolean => wire.method === 'GET' || wire.method === 'HEAD';

function plainReply(route: Route, target: PlacelessTarget, reply: BytesReply): PlainReply {
  const { cluster, openPages = false } = route;
  const { status, body } = reply;
  // The member refused the product's credential, not the client's. Only an answer of a proxied program is for the client.
  if (status === 401 && !isProxied(target)) {
    body.cancel();
    throw credentialRefused(cluster);
  }
  const headers = answerHeaders(reply, isProxied(target), openPages);
  if (isRedirect(status, headers)) {
    const location = target.proxied && locationWithin(target.proxied, target.wire, headers['location']);
    if (location === undefined) {
      body.cancel();
      throw redirectRefused(cluster);
    }
    headers['location'] = location;
  }
  const passed = body.whole() ?? (isWatch(target) ? new PushedStream(body) : body);
  const memory = isReading(target) ? body.memory : body.memory.withoutWaiting();
  return { is: 'plain', status, headers, body: passed, passed: true, memory };
}

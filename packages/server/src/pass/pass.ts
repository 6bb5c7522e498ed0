/** One place: the request goes on as the user, the bytes come back as they are, or as a suffixed view shows them. */

import { abortingWith } from '@fleet/client/abort.ts';
import type { BytesReply, Headers, Upstream, UpstreamCall } from '@fleet/client/upstream.ts';
import { acceptFor, jsonForm } from '@fleet/kube/negotiate.ts';
import { badGateway, badRequest, methodNotAllowed, notAcceptable } from '@fleet/kube/status.ts';
import { compressed } from '../http/gzip.ts';
import { forwardable, withoutHopByHop } from '../http/hop-by-hop.ts';
import type { Incoming, PlainReply, Reply } from '../http/message.ts';
import { selectorForm } from '../present/cluster-selector.ts';
import { presentObject } from '../present/one-object.ts';
import { type Target, wireUrl } from '../target/target.ts';
import { isLongRunning, isOpaque, isProxied } from './long-running.ts';
import { credentialRefused, type Destination, unanswered } from './unanswered.ts';

export interface Route extends Destination {
  upstream: Upstream;
  /** As whom the other side sees the user. */
  identity: Headers;
}

const answerDeadline = 60_000;
const tooLate = new Error('no answer in time');

export async function pass(route: Route, target: Target, incoming: Incoming): Promise<Reply> {
  // What follows its head is no HTTP any more, so nobody could tell where such a body ends.
  if (incoming.upgrade && incoming.body) throw badRequest('a request to change protocols must have no body');
  const headers = { ...forwardable(incoming.headers), ...route.identity };
  if (target.view.names === 'plain') return forward(route, target, incoming, headers);
  if (isOpaque(target)) return presentErrors(await forward(route, target, incoming, headers), route, target);
  if (target.ask.is === 'resource' && target.ask.verb !== 'get') {
    throw methodNotAllowed(
      `${target.ask.verb} by suffixed name is not supported: run kubectl with --server …/clusterspaces/${route.cluster} and the plain name`,
    );
  }
  const form = jsonForm(acceptHeader(incoming.headers));
  if (form === undefined) throw notAcceptable(['application/json']);
  const asJson = { ...headers, accept: acceptFor(form), 'accept-encoding': 'identity' };
  const reply = await present(await forward(route, target, incoming, asJson), route, target);
  // What was put together anew is ours to compress: the member was asked not to.
  return 'body' in reply && Buffer.isBuffer(reply.body) ? compressed(reply, incoming.headers) : reply;
}

const acceptHeader = ({ accept }: Headers): string | undefined =>
  accept === undefined ? undefined : [accept].flat().join(',');

async function forward(route: Route, target: Target, incoming: Incoming, headers: Headers): Promise<Reply> {
  const given = abortingWith(incoming.signal);
  const deadline = isLongRunning(target) ? undefined : setTimeout(() => given.abort(tooLate), answerDeadline);
  const call: UpstreamCall = {
    method: target.wire.method,
    path: wireUrl(target.wire),
    ...(incoming.body && !isReadByMember(target)
      ? { headers: withoutLength(headers) }
      : { headers, body: incoming.body }),
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

/** No API server reads the body of a read, but it waits for one that is announced; only what it proxies to might want it. */
const isReadByMember = (target: Target): boolean => isProxied(target) || !['GET', 'HEAD'].includes(target.wire.method);

const withoutLength = ({ 'content-length': _, ...others }: Headers): Headers => others;

/** An upgrade is of this connection, so its two headers are said again on the next. */
async function upgrade(route: Route, target: Target, call: UpstreamCall, client: Headers): Promise<Reply> {
  const headers = { ...call.headers, connection: 'Upgrade', upgrade: client['upgrade'] };
  const reply = await route.upstream.upgrade({ ...call, headers });
  if (reply.is === 'refused') return plainReply(route, target, reply.reply);
  return reply;
}

function plainReply({ cluster }: Route, target: Target, { status, headers, body }: BytesReply): PlainReply {
  // The client has proved who it is: this is about us. Only what stands behind the member's own proxy speaks to clients.
  if (status === 401 && !isProxied(target)) {
    body.cancel();
    throw credentialRefused(cluster);
  }
  return { is: 'plain', status, headers: withoutHopByHop(headers), body: body.whole() ?? body, passed: true };
}

const isJson = ({ headers }: PlainReply): boolean => String(headers['content-type']).startsWith('application/json');

/** A stream's bytes are its own, but an error about the object names the object. */
const presentErrors = async (reply: Reply, route: Route, target: Target): Promise<Reply> =>
  reply.is === 'plain' && reply.status >= 400 && isJson(reply) ? present(reply, route, target) : reply;

async function present(reply: Reply, { cluster }: Route, { ask }: Target): Promise<Reply> {
  if (reply.is !== 'plain' || !isJson(reply) || reply.body === undefined || ask.is !== 'resource') return reply;
  const { name = '', group, resource, subresource } = ask;
  const selector = subresource === undefined ? selectorForm(group, resource) : undefined;
  const shown = { cluster, name, isEvent: resource === 'events', selector };
  const { 'content-length': _, ...headers } = reply.headers;
  try {
    const bytes = await bytesOf(reply.body);
    if (bytes.length === 0) return { ...reply, body: bytes };
    return { ...reply, headers, body: await presentObject(bytes, shown) };
  } catch (cause) {
    throw badGateway(`cluster "${cluster}" broke off its answer, or gave none that can be read`, { cause });
  }
}

async function bytesOf(body: NonNullable<PlainReply['body']>): Promise<Buffer> {
  if (Buffer.isBuffer(body)) return body;
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

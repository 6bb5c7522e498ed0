/** One place's answer as the view shows it. */

import { badGateway } from '@fleet/kube/status.ts';
import type { PlainReply, Reply } from '../http/message.ts';
import { type SelectorForm, selectorForm } from '../present/cluster-selector.ts';
import { markingOf } from '../present/marking.ts';
import { presentList } from '../present/one-list.ts';
import { presentAnswer, type Shown } from '../present/one-object.ts';
import { presentWatch } from '../present/one-watch.ts';
import type { ClusterName, Target } from '../target/target.ts';

export function shownBy(cluster: ClusterName, target: Target): Shown {
  const { ask, view, body } = target;
  const resource = ask.is === 'resource' ? ask : undefined;
  const isEvent = resource?.resource === 'events';
  return {
    view,
    cluster,
    name: resource?.name,
    namePrefix: body?.renamed?.name,
    namespace: resource?.namespace,
    marking: markingOf(view, cluster, isEvent),
    selector: narrowedSelector(target),
  };
}

/** Where a list of the pods that it selects would go to all clusters, the object says which one is its own (NAME-11). */
function narrowedSelector({ ask, place, view }: Target): SelectorForm | undefined {
  if (ask.is !== 'resource' || ask.subresource !== undefined || ask.verb === 'list' || ask.verb === 'watch')
    return undefined;
  const listsGoEverywhere = view.names === 'name-suffixed' || place.at === 'found';
  return listsGoEverywhere ? selectorForm(ask.group, ask.resource) : undefined;
}

/** Whether the answer's bytes are the place's own. */
export const isShownAsItIs = ({ view, selector }: Shown): boolean =>
  view.names === 'plain' && !view.annotated && selector === undefined;

const isJson = ({ headers }: PlainReply): boolean => String(headers['content-type']).startsWith('application/json');

/** A stream's bytes are its own, but an error about the object names the object. */
export const presentErrors = async (reply: Reply, shown: Shown): Promise<Reply> =>
  reply.is === 'plain' && reply.status >= 400 ? presentWhole(reply, shown) : reply;

/** Lists and watches as they come, everything else once it is all there. */
export async function present(reply: Reply, shown: Shown, { ask }: Target): Promise<Reply> {
  if (reply.is !== 'plain' || !isJson(reply) || reply.body === undefined || ask.is !== 'resource') return reply;
  const { 'content-length': _, ...headers } = reply.headers;
  if (reply.status !== 200) return presentWhole(reply, shown);
  if (ask.verb === 'watch') return { ...reply, headers, body: presentWatch(chunksOf(reply.body), shown) };
  if (ask.verb === 'list') return { ...reply, headers, body: presentedList(reply.body, shown) };
  return presentWhole(reply, shown);
}

async function presentWhole(reply: PlainReply, shown: Shown): Promise<Reply> {
  if (!isJson(reply) || reply.body === undefined) return reply;
  const { 'content-length': _, ...headers } = reply.headers;
  try {
    const bytes = await bytesOf(reply.body);
    if (bytes.length === 0) return { ...reply, body: bytes };
    return { ...reply, headers, body: await presentAnswer(bytes, shown) };
  } catch (cause) {
    throw brokenAnswer(shown, cause);
  }
}

/** One that breaks before anything of it is sent can still be told. */
async function* presentedList(body: NonNullable<PlainReply['body']>, shown: Shown): AsyncGenerator<Buffer> {
  try {
    yield* presentList(chunksOf(body), shown.marking);
  } catch (cause) {
    throw brokenAnswer(shown, cause);
  }
}

const brokenAnswer = ({ cluster }: Shown, cause: unknown) =>
  badGateway(`cluster "${cluster}" broke off its answer, or gave none that can be read`, { cause });

async function bytesOf(body: NonNullable<PlainReply['body']>): Promise<Buffer> {
  if (Buffer.isBuffer(body)) return body;
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* chunksOf(body: NonNullable<PlainReply['body']>): AsyncGenerator<Buffer, void, undefined> {
  if (Buffer.isBuffer(body)) yield body;
  else yield* body;
}

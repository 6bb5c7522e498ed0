/** Rewrites one place's answer for the view. */

import { JsonBytesError } from '@fleet/kube/json-bytes.ts';
import type { PlainReply, Reply } from '../http/message.ts';
import { askedObjects, type KnownKinds } from '../present/asked-objects.ts';
import { type SelectorForm, selectorForm } from '../present/cluster-selector.ts';
import { markingOf } from '../present/marking.ts';
import { presentList } from '../present/one-list.ts';
import { firstKindOf, presentAnswer, type Shown } from '../present/one-object.ts';
import { presentWatch } from '../present/one-watch.ts';
import { combineVersions } from '../present/versions.ts';
import { type ClusterName, karmada, type PlacelessTarget } from '../target/target.ts';
import { isProxied } from './long-running.ts';
import { chunksOf, unreadable, wholeAnswer } from './whole-answer.ts';

export interface ShownFrom {
  cluster: ClusterName;
  kinds: KnownKinds;
  positions?: ReadonlyMap<ClusterName, string>;
}

export function shownBy({ cluster, kinds, positions }: ShownFrom, target: PlacelessTarget): Shown {
  const { ask, view, body } = target;
  const resource = ask.is === 'resource' ? ask : undefined;
  const isEvent = resource?.resource === 'events';
  return {
    view,
    cluster,
    name: resource?.name,
    namePrefix: body?.renamed?.name,
    namespace: resource?.namespace,
    marking: {
      ...markingOf(view, cluster, isEvent, askedObjects(ask, kinds)),
      versionOf: positions && ((own) => combineVersions(new Map([...positions, [cluster, own]]))),
    },
    // The pods of a template are in members.
    selector: cluster === karmada && target.templates ? undefined : narrowedSelector(target),
  };
}

function narrowedSelector({ ask, view }: PlacelessTarget): SelectorForm | undefined {
  if (ask.is !== 'resource' || ask.subresource !== undefined || ask.verb === 'list' || ask.verb === 'watch')
    return undefined;
  const narrows = view.names === 'name-suffixed' || view.narrowsSelectors;
  return narrows ? selectorForm(ask.group, ask.resource) : undefined;
}

/**
 * Whether the bytes are passed on unchanged, as where plain names lead back to the cluster in the URL. An object that was looked up is
 * rewritten: its plain name would be looked up again, perhaps in another cluster.
 */
export const isShownAsItIs = ({ view }: Shown): boolean =>
  view.names === 'plain' && !view.annotated && !view.narrowsSelectors;

/** In the form in which clients compare them. */
const mediaType = ({ headers }: PlainReply): string =>
  String(headers['content-type'] ?? '')
    .split(';', 1)[0]!
    .trim()
    .toLowerCase();

const isJson = (reply: PlainReply): boolean => mediaType(reply) === 'application/json';

/** Media types from which clients read objects. Without a type they assume the one that they requested. */
const canBeObject = (reply: PlainReply): boolean => /^$|json|yaml|protobuf|cbor/.test(mediaType(reply));

/** Names cannot be put into these, but some clients might read them. A type that only a subresource's own clients read is passed on. */
const isForeign = (reply: PlainReply, target: PlacelessTarget): boolean => {
  const { status } = reply;
  if (target.ask.is !== 'resource' || isProxied(target) || status < 200 || status >= 300) return false;
  return !isJson(reply) && (target.ask.subresource === undefined || canBeObject(reply));
};

/** A stream is passed on unchanged, but an error about the object names it, with a suffix if the request did so. */
export const presentErrors = async (reply: Reply, shown: Shown): Promise<Reply> =>
  reply.is === 'plain' && reply.status >= 400 && shown.view.names !== 'plain' ? presentWhole(reply, shown) : reply;

/** Lists and watches are rewritten as they arrive, everything else once it is complete. */
export async function present(reply: Reply, shown: Shown, target: PlacelessTarget): Promise<Reply> {
  const { ask } = target;
  if (reply.is !== 'plain' || reply.body === undefined || ask.is !== 'resource') return reply;
  if (isForeign(reply, target)) return onlyEmpty(reply, shown);
  if (!isJson(reply)) return reply;
  const { 'content-length': _, ...headers } = reply.headers;
  if (reply.status !== 200) return presentWhole(reply, shown);
  // Read and counted in this step, so that nobody after it counts the same bytes again.
  const { memory, ...read } = { ...reply, headers, mustMove: () => reply.memory?.isHeld ?? false };
  if (ask.verb === 'watch') return { ...read, body: presentWatch(chunksOf(reply.body, 0), shown, memory) };
  if (ask.verb === 'list') return { ...read, body: presentedList(reply, shown) };
  if (ask.verb === 'deletecollection') return presentDeleted(reply, shown);
  return presentWhole(reply, shown);
}

async function onlyEmpty(reply: PlainReply, shown: Shown): Promise<Reply> {
  try {
    for await (const chunk of chunksOf(reply.body!)) {
      if (chunk.length > 0) throw new JsonBytesError('an answer in a form that was not requested');
    }
  } catch (cause) {
    throw unreadable(shown.cluster, cause);
  }
  return { ...reply, body: Buffer.alloc(0) };
}

async function presentWhole(reply: PlainReply, shown: Shown): Promise<Reply> {
  if (!isJson(reply) || reply.body === undefined) return reply;
  const { 'content-length': _, ...headers } = reply.headers;
  try {
    using owner = new DisposableStack();
    const answer = owner.use(await wholeAnswer(reply));
    if (answer.length === 0) return { ...reply, body: answer.view() };
    const body = await presentAnswer(answer.view(), shown);
    if (!answer.isLarge) return { ...reply, headers, body };
    return { ...reply, headers, body: await holding(owner.move(), body), mustMove: () => true };
  } catch (cause) {
    throw unreadable(shown.cluster, cause);
  }
}

/** A rewritten large answer keeps the memory of the original until it was sent, or nobody reads it. */
async function holding(owner: Disposable, made: Buffer): Promise<AsyncGenerator<Buffer>> {
  const body = (async function* () {
    using _ = owner;
    yield Buffer.alloc(0);
    yield made;
  })();
  // Started: a generator that was not started would not release anything when it is ended.
  await body.next();
  return body;
}

/** The response to a deletecollection is a list of any length; other deletions return an object or a Status. */
async function presentDeleted(reply: PlainReply, shown: Shown): Promise<Reply> {
  const { 'content-length': _, ...headers } = reply.headers;
  const chunks = chunksOf(reply.body!);
  const first = await chunks.next().catch((cause: unknown) => {
    throw unreadable(shown.cluster, cause);
  });
  const body = first.done ? Buffer.alloc(0) : startingWith(first.value, chunks);
  const isList = !first.done && beginsList(first.value);
  if (isList) return { ...reply, headers, body: presentedList({ ...reply, body }, shown), mustMove: () => true };
  return presentWhole({ ...reply, body }, shown);
}

/** Go writes the kind first. */
function beginsList(bytes: Buffer): boolean {
  try {
    return firstKindOf(bytes)?.endsWith('List') ?? false;
  } catch (error) {
    if (error instanceof JsonBytesError) return false;
    throw error;
  }
}

async function* startingWith(first: Buffer, chunks: AsyncGenerator<Buffer, void, undefined>): AsyncGenerator<Buffer> {
  yield first;
  yield* chunks;
}

/** If it breaks off before anything of it was sent, the client still gets an error. */
async function* presentedList(reply: PlainReply, shown: Shown): AsyncGenerator<Buffer> {
  try {
    yield* presentList(chunksOf(reply.body!), shown.marking, undefined, reply.memory);
  } catch (cause) {
    throw unreadable(shown.cluster, cause);
  }
}

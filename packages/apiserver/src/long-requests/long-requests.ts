/** Requests are served at once where they are small, on another thread where that could hold the event loop (LIMIT-3). */

import { MessageChannel, Worker } from 'node:worker_threads';
import { isYaml } from '@fleet/kube/request-body.ts';
import { type Status, StatusError } from '@fleet/kube/status.ts';
import { type ApiReply, oneHeader } from '../http/message.ts';
import { type Call, type Resource, serveResource } from '../http/verbs.ts';
import type { Rights } from '../rbac/escalation.ts';
import { TooLargeHere } from '../registry/resource-context.ts';
import type { StoredKind } from '../registry/resource-kind.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { servePort } from '../store/worker/serve-port.ts';
import { ThreadPool } from '../threads/thread-pool.ts';
import type { LongJob, LongReply, Path, ThreadPorts } from './messages.ts';
import { serveRights } from './rights-port.ts';

/**
 * In bytes: the worst of each kind take some 10 ms at this size. More for a byte of YAML than for one of JSON or protobuf, and
 * less for one of what is there, half of which is who wrote it.
 */
const mostAtOnce = { yaml: 4 * 1024, other: 16 * 1024, there: 32 * 1024 };

/** What one of them may need ends its thread, not the process. */
const megabytes = 512;
/** Enough for what is as deep as JSON may be. */
const stackSizeMb = 32;

/** Of what is only read the body does not matter. */
const readingVerbs = ['get', 'list', 'watch'];

const isLong = ({ types }: Resource, { request, ask }: Call): boolean =>
  !readingVerbs.includes(ask.verb) &&
  (types.isLong === true ||
    request.body.length > (isYaml(oneHeader(request, 'content-type')) ? mostAtOnce.yaml : mostAtOnce.other));

export interface LongRequestsOptions {
  store: ObjectStore;
  rights: Pick<Rights, 'decide' | 'rulesFor'>;
  onInternalError(error: unknown): void;
}

export class LongRequests implements AsyncDisposable {
  readonly #threads: ThreadPool<LongJob, LongReply>;
  readonly #onInternalError: (error: unknown) => void;

  constructor({ store, rights, onInternalError }: LongRequestsOptions) {
    this.#threads = new ThreadPool(() => startThread(store, rights));
    this.#onInternalError = onInternalError;
  }

  async serve(resource: Resource, call: Call): Promise<ApiReply> {
    if (isLong(resource, call)) return this.#elsewhere(call);
    try {
      return await serveResource(resource, { ...call, atMost: mostAtOnce.there });
    } catch (error) {
      if (error instanceof TooLargeHere || isTooDeep(error)) return this.#elsewhere(call);
      throw error;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#threads[Symbol.asyncDispose]();
  }

  /** How objects of a resource are shown that are kept in another version. */
  conversions(path: Path): NonNullable<StoredKind['elsewhere']> {
    return { from: mostAtOnce.there, fromStored: (value) => this.#converted(path, value) };
  }

  async #converted({ group, version, resource }: Path, value: Uint8Array): Promise<Uint8Array> {
    const path = { group, version, resource };
    const answered = await this.#threads.run({ what: 'conversion', path, value: alone(value) });
    if (answered.is === 'value') return answered.value;
    throw new Error(`${resource} in version ${version} cannot be shown`);
  }

  async #elsewhere({ request, ask, user, warn }: Call): Promise<ApiReply> {
    const { method, url, headers, body, signal } = request;
    const sent = { method, url, headers, body: alone(body) };
    const answered = await this.#threads.run({ what: 'request', request: sent, ask, user }, signal);
    if (answered.is === 'refused') throw errorOf(answered.status);
    if (answered.is === 'value') throw new TypeError('a request was taken for a conversion');
    const { reply, warnings, internal } = answered;
    if (internal !== undefined) this.#onInternalError(new Error(internal));
    for (const text of warnings) warn(text);
    return { ...reply, body: Buffer.from(reply.body.buffer, reply.body.byteOffset, reply.body.byteLength) };
  }
}

/** Nothing was written: what overflows is reading, comparing and checking. Threads have more room. */
const isTooDeep = (error: unknown): boolean => error instanceof RangeError && error.message.includes('call stack');

const errorOf = ({ code, reason = '', message, details }: Status): StatusError =>
  new StatusError(code, reason, message, details);

/** Cloning a view copies all of the memory that it looks at. */
const alone = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);

function startThread(store: ObjectStore, rights: LongRequestsOptions['rights']): Worker {
  const [stores, allowed] = [new MessageChannel(), new MessageChannel()];
  void servePort(store, stores.port1);
  stores.port1.unref();
  serveRights(rights, allowed.port1);
  const ports: ThreadPorts = { store: stores.port2, rights: allowed.port2 };
  return new Worker(new URL('./request-thread.ts', import.meta.url), {
    name: 'long requests',
    workerData: ports,
    transferList: Object.values(ports),
    resourceLimits: { maxOldGenerationSizeMb: megabytes, stackSizeMb },
  });
}

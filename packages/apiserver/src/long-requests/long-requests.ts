/** Requests are served at once where they are small, on another thread where that could hold the event loop (LIMIT-3). */

import { MessageChannel, Worker } from 'node:worker_threads';
import { isYaml } from '@fleet/kube/request-body.ts';
import { type Status, StatusError } from '@fleet/kube/status.ts';
import { type ApiReply, oneHeader } from '../http/message.ts';
import type { Call, Resource } from '../http/verb.ts';
import { serveResource } from '../http/verbs.ts';
import type { WriteElsewhere } from '../http/watch-reply.ts';
import type { DocumentForm } from '../openapi/published-kind.ts';
import type { Rights } from '../rbac/escalation.ts';
import { TooLargeHere } from '../registry/resource-context.ts';
import type { StoredKind } from '../registry/resource-kind.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { servePort } from '../store/worker/serve-port.ts';
import { ThreadPool } from '../threads/thread-pool.ts';
import type { LongJob, LongReply, Path, ThreadOptions, ThreadPorts } from './messages.ts';
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
  /** Of the server. */
  kinds?: ThreadOptions['kinds'];
  admission: ThreadOptions['admission'];
  admissionModule?: ThreadOptions['admissionModule'];
  onInternalError(error: unknown): void;
}

export class LongRequests implements AsyncDisposable {
  readonly #threads: ThreadPool<LongJob, LongReply>;
  /** What watches and documents wait for, each of which has one in the line at most: it takes no request's place. */
  readonly #forms: ThreadPool<LongJob, LongReply>;
  readonly #onInternalError: (error: unknown) => void;

  constructor({ store, rights, onInternalError, kinds, admission, admissionModule }: LongRequestsOptions) {
    const start = (): Worker => startThread(store, rights, { kinds, admission, admissionModule });
    this.#threads = new ThreadPool(start);
    this.#forms = new ThreadPool(start, { threads: 1, waiting: Number.POSITIVE_INFINITY });
    this.#onInternalError = onInternalError;
  }

  async serve(resource: Resource, call: Call): Promise<ApiReply> {
    // Threads know nothing of what the server as a whole demands.
    const { verb, name } = call.ask;
    if (verb === 'delete' && name !== undefined && isLong(resource, call)) await resource.registry.admitDeletion(name);
    if (isLong(resource, call)) return this.#elsewhere(call);
    try {
      const writeElsewhere: WriteElsewhere = (event) =>
        this.#value({ what: 'event', path: pathOf(resource.printed), ...event, object: alone(event.object) });
      return await serveResource(resource, { ...call, atMost: mostAtOnce.there, writeElsewhere });
    } catch (error) {
      if (error instanceof TooLargeHere || isTooDeep(error)) return this.#elsewhere(call);
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#threads[Symbol.asyncDispose](), this.#forms[Symbol.asyncDispose]()]);
  }

  /** How objects of a resource are shown that are kept in another version. If its schema is long, that is for all of them. */
  conversions(kind: Path, isLong: boolean): NonNullable<StoredKind['elsewhere']> {
    const path = pathOf(kind);
    return {
      from: isLong ? 0 : mostAtOnce.there,
      fromStored: (value) => this.#value({ what: 'conversion', path, value: alone(value) }),
    };
  }

  /** A kind in OpenAPI; undefined if it is gone. */
  async described(kind: Path, form: DocumentForm): Promise<Buffer | undefined> {
    try {
      return bufferOf(await this.#value({ what: 'description', path: pathOf(kind), form }));
    } catch (error) {
      if (error instanceof StatusError && error.code === 404) return undefined;
      throw error;
    }
  }

  async #value(job: LongJob & { path: Path }): Promise<Uint8Array> {
    const answered = await this.#forms.run(job);
    if (answered.is === 'value') return answered.value;
    if (answered.is === 'reply') throw new TypeError(`a ${job.what} was taken for a request`);
    if (answered.internal !== undefined) this.#onInternalError(new Error(answered.internal));
    throw errorOf(answered.status);
  }

  async #elsewhere({ request, ask, user, createRefused, warn }: Call): Promise<ApiReply> {
    const { method, url, headers, body, signal } = request;
    const sent = { method, url, headers, body: alone(body) };
    const answered = await this.#threads.run({ what: 'request', request: sent, ask, user, createRefused }, signal);
    if (answered.is === 'refused') throw errorOf(answered.status);
    if (answered.is === 'value') throw new TypeError('a request was taken for something else');
    const { reply, warnings, internal } = answered;
    if (internal !== undefined) this.#onInternalError(new Error(internal));
    for (const text of warnings) warn(text);
    return { ...reply, body: bufferOf(reply.body) };
  }
}

const pathOf = ({ group, version, resource }: Path): Path => ({ group, version, resource });

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Nothing was written: what overflows is reading, comparing and checking. Threads have more room. */
const isTooDeep = (error: unknown): boolean => error instanceof RangeError && error.message.includes('call stack');

const errorOf = ({ code, reason = '', message, details }: Status): StatusError =>
  new StatusError(code, reason, message, details);

/** Cloning a view copies all of the memory that it looks at. */
const alone = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);

function startThread(store: ObjectStore, rights: LongRequestsOptions['rights'], options: ThreadOptions): Worker {
  const [stores, allowed] = [new MessageChannel(), new MessageChannel()];
  void servePort(store, stores.port1);
  stores.port1.unref();
  serveRights(rights, allowed.port1);
  const ports: ThreadPorts = { store: stores.port2, rights: allowed.port2 };
  return new Worker(new URL('./request-thread.ts', import.meta.url), {
    name: 'long requests',
    workerData: { ...ports, ...options },
    transferList: Object.values(ports),
    resourceLimits: { maxOldGenerationSizeMb: megabytes, stackSizeMb },
  });
}

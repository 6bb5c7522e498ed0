/** Dispatches requests: worker threads serve those that would block the event loop, the main thread serves the others (LIMIT-3). */

import { MessageChannel, Worker } from 'node:worker_threads';
import { isYaml } from '@fleet/kube/request-body.ts';
import { type Status, StatusError } from '@fleet/kube/status.ts';
import { type ApiReply, oneHeader } from '../http/message.ts';
import type { Call, Resource } from '../http/verb.ts';
import { serveResource } from '../http/verbs.ts';
import type { WriteOnThread } from '../http/watch-reply.ts';
import type { DocumentForm } from '../openapi/published-kind.ts';
import type { Permissions } from '../rbac/escalation.ts';
import { TooLargeHere } from '../registry/resource-context.ts';
import type { StoredKind } from '../registry/resource-kind.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { servePort } from '../store/worker/serve-port.ts';
import { ThreadPool } from '../threads/thread-pool.ts';
import type { LongJob, LongReply, Path, ThreadOptions, ThreadPorts } from './messages.ts';
import { servePermissions } from './permissions-port.ts';

/**
 * In bytes: the worst case of each takes some 10 ms at this size. A byte of YAML costs more than one of JSON or protobuf, and
 * one of a stored object less, as half of that is managedFields.
 */
const mostAtOnce = { yaml: 4 * 1024, other: 16 * 1024, there: 32 * 1024 };

/** A thread that exceeds it ends, without the process. */
const megabytes = 512;
/** Enough for the deepest JSON that is accepted. */
const stackSizeMb = 32;

/** The body of a read does not matter. */
const readingVerbs = ['get', 'list', 'watch'];

const isLong = ({ types }: Resource, { request, ask }: Call): boolean =>
  !readingVerbs.includes(ask.verb) &&
  (types.isLong === true ||
    request.body.length > (isYaml(oneHeader(request, 'content-type')) ? mostAtOnce.yaml : mostAtOnce.other));

export interface LongRequestsOptions {
  store: ObjectStore;
  permissions: Pick<Permissions, 'decide' | 'rulesFor'>;
  /** The kinds of the server. */
  kinds?: ThreadOptions['kinds'];
  admission: ThreadOptions['admission'];
  admissionModule?: ThreadOptions['admissionModule'];
  onInternalError(error: unknown): void;
}

export class LongRequests implements AsyncDisposable {
  readonly #threads: ThreadPool<LongJob, LongReply>;
  /** For watches and documents, each of which queues at most one job: they do not delay requests. */
  readonly #forms: ThreadPool<LongJob, LongReply>;
  readonly #onInternalError: (error: unknown) => void;

  constructor({ store, permissions, onInternalError, kinds, admission, admissionModule }: LongRequestsOptions) {
    const start = (): Worker => startThread(store, permissions, { kinds, admission, admissionModule });
    this.#threads = new ThreadPool(start);
    this.#forms = new ThreadPool(start, { threads: 1, waiting: Number.POSITIVE_INFINITY });
    this.#onInternalError = onInternalError;
  }

  async serve(resource: Resource, call: Call): Promise<ApiReply> {
    // Threads do not know the checks of the server as a whole.
    const { verb, name } = call.ask;
    if (verb === 'delete' && name !== undefined && isLong(resource, call)) await resource.registry.admitDeletion(name);
    if (isLong(resource, call)) return this.#onThread(call);
    try {
      const writeOnThread: WriteOnThread = (event) =>
        this.#value({ what: 'event', path: pathOf(resource.printed), ...event, object: alone(event.object) });
      return await serveResource(resource, { ...call, atMost: mostAtOnce.there, writeOnThread });
    } catch (error) {
      if (error instanceof TooLargeHere || isTooDeep(error)) return this.#onThread(call);
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#threads[Symbol.asyncDispose](), this.#forms[Symbol.asyncDispose]()]);
  }

  /** Converts objects of a resource that are stored in another version. With a long schema, all of them are converted here. */
  conversions(kind: Path, isLong: boolean): NonNullable<StoredKind['onThread']> {
    const path = pathOf(kind);
    return {
      from: isLong ? 0 : mostAtOnce.there,
      fromStored: (value) => this.#value({ what: 'conversion', path, value: alone(value) }),
    };
  }

  /** The OpenAPI schema of a kind; undefined if the kind is gone. */
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

  async #onThread({ request, ask, user, createRefused, warn }: Call): Promise<ApiReply> {
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

/** Nothing was written: decoding, comparing or validating overflowed the stack. Threads have a larger stack. */
const isTooDeep = (error: unknown): boolean => error instanceof RangeError && error.message.includes('call stack');

const errorOf = ({ code, reason = '', message, details }: Status): StatusError =>
  new StatusError(code, reason, message, details);

/** Cloning a view copies the whole underlying memory. */
const alone = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);

function startThread(
  store: ObjectStore,
  permissions: LongRequestsOptions['permissions'],
  options: ThreadOptions,
): Worker {
  const [stores, allowed] = [new MessageChannel(), new MessageChannel()];
  void servePort(store, stores.port1);
  stores.port1.unref();
  servePermissions(permissions, allowed.port1);
  const ports: ThreadPorts = { store: stores.port2, permissions: allowed.port2 };
  return new Worker(new URL('./request-thread.ts', import.meta.url), {
    name: 'long requests',
    workerData: { ...ports, ...options },
    transferList: Object.values(ports),
    resourceLimits: { maxOldGenerationSizeMb: megabytes, stackSizeMb },
  });
}

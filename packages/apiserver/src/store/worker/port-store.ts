/** A store on another thread, reached through a port. */

import type { Entry, ObjectStore, Outcome, Range, RangeQuery, StoreWatch, Write } from '../object-store.ts';
import { closed } from '../store-error.ts';
import { type Answered, type Call, errorOf, type FromStore, type ToStore } from './messages.ts';
import { PortWatch } from './port-watch.ts';

/** Entries read in one step of a long range, with writes in between. */
const pageLimit = 500;

/** Cloning a view copies the whole underlying memory, such as the pool that small Buffers share. */
const alone = (value: Uint8Array): Uint8Array =>
  value.byteLength === value.buffer.byteLength ? value : new Uint8Array(value);

/** The connection to the store: a port, or its thread. */
interface Port {
  on(event: 'message', listener: (message: FromStore) => void): unknown;
  postMessage(message: ToStore): void;
}

export class PortStore implements ObjectStore {
  readonly #port: Port;
  readonly #asked = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #watches = new Map<number, PortWatch>();
  #lastId = 0;
  #gone: Error | undefined;

  constructor(port: Port) {
    this.#port = port;
    port.on('message', (message) => this.#hear(message));
  }

  revision(): Promise<number> {
    return this.#ask('revision');
  }

  write(write: Write): Promise<Outcome> {
    return this.#ask('write', write.op === 'delete' ? write : { ...write, value: alone(write.value) });
  }

  get(key: string): Promise<{ entry: Entry | undefined; revision: number }> {
    return this.#ask('get', key);
  }

  async range({ limit = Number.POSITIVE_INFINITY, ...query }: RangeQuery): Promise<Range> {
    const entries: Entry[] = [];
    let { after, revision } = query;
    for (;;) {
      const page = await this.#ask('range', {
        ...query,
        after,
        revision,
        limit: Math.min(pageLimit, limit - entries.length),
        // Only the last page's count is needed, and counting is expensive.
        count: query.count && limit - entries.length <= pageLimit,
      });
      entries.push(...page.entries);
      if (!page.more || entries.length >= limit) return { ...page, entries };
      after = entries.at(-1)!.key;
      revision = page.revision;
    }
  }

  watch(prefix: string, after: number): StoreWatch {
    const id = this.#nextId();
    const watch = new PortWatch(
      id,
      (message) => this.send(message),
      () => this.#watches.delete(id),
    );
    if (this.#gone) watch.end(this.#gone);
    else this.#watches.set(id, watch);
    this.send({ kind: 'watch', id, prefix, after });
    return watch;
  }

  compact(revision: number): Promise<void> {
    return this.#ask('compact', revision);
  }

  /** The store itself stays open, as others may use it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.lose(closed());
  }

  protected get isGone(): boolean {
    return this.#gone !== undefined;
  }

  /** The connection is lost: all pending calls fail. */
  protected lose(why: Error): void {
    this.#gone ??= why;
    for (const answer of this.#asked.values()) answer.reject(this.#gone);
    this.#asked.clear();
    for (const watch of this.#watches.values()) watch.end(this.#gone);
  }

  protected send(message: ToStore): void {
    if (!this.#gone) this.#port.postMessage(message);
  }

  #ask<Name extends Call>(call: Name, ...args: unknown[]): Promise<Answered<Name>> {
    if (this.#gone) return Promise.reject(this.#gone);
    const id = this.#nextId();
    const answer = Promise.withResolvers<unknown>();
    this.#asked.set(id, answer);
    this.send({ kind: 'ask', id, call, args });
    return answer.promise as Promise<Answered<Name>>;
  }

  #hear(message: FromStore): void {
    switch (message.kind) {
      case 'answer':
        this.#settle(message.id)?.resolve(message.value);
        break;
      case 'refusal':
        this.#settle(message.id)?.reject(errorOf(message.error));
        break;
      case 'batch':
        this.#watches.get(message.id)?.push(message.batch);
        break;
      case 'ended':
        this.#watches.get(message.id)?.end(message.error && errorOf(message.error));
        break;
      case 'failed':
        this.lose(errorOf(message.error));
        break;
      case 'warning':
      case 'open':
        break;
      default:
        message satisfies never;
    }
  }

  #settle(id: number): PromiseWithResolvers<unknown> | undefined {
    const answer = this.#asked.get(id);
    this.#asked.delete(id);
    return answer;
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }
}

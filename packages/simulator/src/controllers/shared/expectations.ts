/**
 * Makes a controller wait until its informers have seen its own writes, so that a stale cache never makes it create or delete
 * twice. Like the expectations of `pkg/controller`, but by resource version instead of by count.
 */

import { type Informer, keyOf } from '@fleet/client/informer.ts';
import type { KubeObject } from '@fleet/client/kube-client.ts';

/** In milliseconds. An informer that is stuck must not block a controller forever. */
const longestWait = 10_000;

interface Expected {
  informer: Informer<KubeObject>;
  isSeen(): boolean;
}

export class Expectations {
  readonly #expected = new Map<string, Expected[]>();
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** `owner` is the key of the reconciled object. */
  wrote<T extends KubeObject>(owner: string, informer: Informer<T>, { metadata }: KubeObject): void {
    const version = Number(metadata.resourceVersion);
    this.#expect(owner, informer, () => informer.version >= version);
  }

  deleted<T extends KubeObject>(owner: string, informer: Informer<T>, object: KubeObject): void {
    this.#expect(owner, informer, () => {
      const known = informer.get(keyOf(object));
      return !known || known.metadata.uid !== object.metadata.uid || known.metadata.deletionTimestamp !== undefined;
    });
  }

  async settled(owner: string): Promise<void> {
    const expected = this.#expected.get(owner);
    if (!expected) return;
    this.#expected.delete(owner);
    const pending = expected.filter(({ isSeen }) => !isSeen());
    if (pending.length === 0) return;
    const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(longestWait)]);
    await Promise.all(pending.map(({ informer, isSeen }) => informer.until(isSeen, signal)));
  }

  #expect<T extends KubeObject>(owner: string, informer: Informer<T>, isSeen: () => boolean): void {
    if (isSeen()) return;
    const one = { informer: informer as unknown as Informer<KubeObject>, isSeen };
    const known = this.#expected.get(owner);
    if (known) known.push(one);
    else this.#expected.set(owner, [one]);
  }
}

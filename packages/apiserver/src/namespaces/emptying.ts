/** A namespace that is going takes its contents with it: they are deleted, and when nothing is left it may go itself. */

import { setTimeout as sleep } from 'node:timers/promises';
import { StatusError } from '@fleet/kube/status.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { Registry } from '../registry/registry.ts';
import type { Form } from '../watch-cache/shared-event.ts';

export interface EmptyingOptions {
  namespaces: Registry;
  /** Of all kinds that live in namespaces now. */
  contents(): readonly Registry[];
  signal: AbortSignal;
  onError(error: unknown): void;
  /** How long to wait for what finalizers still hold. */
  retryMillis?: number;
}

/** Just the name: nothing else of an event matters here. */
const nameOnly: Form = {
  name: 'namespace name',
  event: (_, object) => Buffer.from((JSON.parse(Buffer.from(object).toString()) as KubeObject).metadata.name!),
  bookmark: () => Buffer.alloc(0),
};

/** Goes on until the signal ends it. */
export async function emptyNamespaces(options: EmptyingOptions): Promise<void> {
  const { namespaces, signal, onError, retryMillis = 1_000 } = options;
  const fields = [{ field: 'status.phase', value: 'Terminating', equal: true }];
  while (!signal.aborted) {
    try {
      for await (const event of namespaces.watch({ fields, allowWatchBookmarks: false, signal })) {
        if (event.type !== 'DELETED') await empty(Buffer.from(event.in(nameOnly)).toString(), options);
      }
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
    await sleep(retryMillis, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

async function empty(
  namespace: string,
  { namespaces, contents, signal, retryMillis = 1_000 }: EmptyingOptions,
): Promise<void> {
  for (;;) {
    for (const each of contents()) await each.deleteCollection({ namespace }, {});
    if (await isEmpty(namespace, contents())) break;
    await sleep(retryMillis, undefined, { signal, ref: false });
  }
  await namespaces
    .update(namespace, { subresource: 'finalize' }, (old) => ({ ...old!, spec: {} }))
    .catch((error: unknown) => {
      // Somebody else was quicker.
      if (!(error instanceof StatusError && error.code === 404)) throw error;
    });
}

async function isEmpty(namespace: string, contents: readonly Registry[]): Promise<boolean> {
  for (const each of contents) if ((await each.list({ namespace, limit: 1 })).entries.length > 0) return false;
  return true;
}

/** A control plane in the test's own process: a few collections with lists and watches, enough for informers. */

import type { KubeObject } from '@fleet/client/kube-client.ts';
import { ReplyBody } from '@fleet/client/reply-body.ts';
import type { BytesReply, UpstreamCall } from '@fleet/client/upstream.ts';
import { FakeUpstream, replyOf, statusReply } from './fake-upstream.ts';

interface Collection {
  objects: Map<string, KubeObject>;
  watchers: Set<ReplyBody>;
}

export class FakeControlPlane {
  readonly upstream = new FakeUpstream((call) => this.answer(call));
  /** Writes other than to collections, as `PATCH path`, with their bodies. */
  readonly patches: { path: string; body: unknown }[] = [];
  private readonly collections = new Map<string, Collection>();
  private version = 100;

  put(path: string, object: KubeObject): void {
    const { objects, watchers } = this.collection(path);
    const known = objects.get(object.metadata.name);
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(++this.version) } };
    objects.set(object.metadata.name, stored);
    send(watchers, { type: known ? 'MODIFIED' : 'ADDED', object: stored });
  }

  remove(path: string, name: string): void {
    const { objects, watchers } = this.collection(path);
    const known = objects.get(name);
    objects.delete(name);
    if (known) {
      send(watchers, {
        type: 'DELETED',
        object: { ...known, metadata: { ...known.metadata, resourceVersion: String(++this.version) } },
      });
    }
  }

  private collection(path: string): Collection {
    const known = this.collections.get(path) ?? { objects: new Map(), watchers: new Set() };
    this.collections.set(path, known);
    return known;
  }

  private answer(call: UpstreamCall): BytesReply {
    const [path = '', query = ''] = call.path.split('?');
    if (call.method === 'PATCH') {
      this.patches.push({ path, body: JSON.parse(String(call.body)) });
      return replyOf(200, {});
    }
    const collection = this.collections.get(path);
    if (collection && query.includes('watch=true')) return watch(collection, call.signal);
    if (collection) {
      return replyOf(200, {
        metadata: { resourceVersion: String(this.version) },
        items: [...collection.objects.values()],
      });
    }
    const [parent, name] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)];
    const object = this.collections.get(parent)?.objects.get(name);
    if (object) return replyOf(200, object);
    return path.split('/').length > 5
      ? statusReply(404, 'NotFound', `${path} not found`)
      : replyOf(200, { metadata: { resourceVersion: '1' }, items: [] });
  }
}

function watch({ watchers }: Collection, signal: AbortSignal): BytesReply {
  const body = new ReplyBody({ pause() {}, resume() {}, abort: () => watchers.delete(body) });
  signal.addEventListener('abort', () => body.fail(signal.reason as Error), { once: true });
  watchers.add(body);
  return { status: 200, headers: {}, body };
}

function send(watchers: Iterable<ReplyBody>, event: unknown): void {
  for (const watcher of watchers) watcher.push(Buffer.from(`${JSON.stringify(event)}\n`));
}

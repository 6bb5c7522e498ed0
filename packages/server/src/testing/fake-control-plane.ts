/** A control plane in the test process: a few collections with lists and watches, enough for informers. */

import type { KubeObject } from '@fleet/client/kube-client.ts';
import { ReplyBody } from '@fleet/client/reply-body.ts';
import type { BytesReply, UpstreamCall } from '@fleet/client/upstream.ts';
import { FakeUpstream, replyOf, statusReply } from './fake-upstream.ts';

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Collection {
  objects: Map<string, KubeObject>;
  /** All events, so that a watch can resume. */
  events: { version: number; line: Buffer }[];
  watchers: Set<ReplyBody>;
}

export class FakeControlPlane {
  readonly upstream = new FakeUpstream((call) => this.answer(call));
  /** Writes other than to collections, as `PATCH path`, with their bodies. */
  readonly patches: { path: string; body: unknown }[] = [];
  private readonly collections = new Map<string, Collection>();
  private version = 100;

  put(path: string, object: KubeObject): void {
    const { objects } = this.collection(path);
    const type = objects.has(object.metadata.name) ? 'MODIFIED' : 'ADDED';
    objects.set(object.metadata.name, this.happened(path, type, object));
  }

  remove(path: string, name: string): void {
    const { objects } = this.collection(path);
    const known = objects.get(name);
    objects.delete(name);
    if (known) this.happened(path, 'DELETED', known);
  }

  private patched(path: string, patch: Json): BytesReply {
    const [parent, name] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)];
    const known = this.collections.get(parent)?.objects.get(name);
    if (!known) return replyOf(200, {});
    const { resourceVersion } = (patch['metadata'] ?? {}) as { resourceVersion?: string };
    if (resourceVersion !== undefined && resourceVersion !== known.metadata.resourceVersion)
      return statusReply(409, 'Conflict', 'the object has been modified');
    this.put(parent, merged(known, patch) as KubeObject);
    return replyOf(200, this.collections.get(parent)?.objects.get(name));
  }

  /** The stored object. */
  get<T extends KubeObject>(path: string, name: string): T {
    return this.collection(path).objects.get(name) as T;
  }

  private happened(path: string, type: string, object: KubeObject): KubeObject {
    const version = ++this.version;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
    const { events, watchers } = this.collection(path);
    const line = Buffer.from(`${JSON.stringify({ type, object: stored })}\n`);
    events.push({ version, line });
    for (const watcher of watchers) watcher.push(line);
    return stored;
  }

  private collection(path: string): Collection {
    const known = this.collections.get(path) ?? { objects: new Map(), events: [], watchers: new Set() };
    this.collections.set(path, known);
    return known;
  }

  private answer(call: UpstreamCall): BytesReply {
    const [path = '', query = ''] = call.path.split('?');
    if (call.method === 'PATCH') {
      const patch = JSON.parse(String(call.body)) as Json;
      this.patches.push({ path, body: patch });
      return this.patched(path.replace(/\/status$/, ''), patch);
    }
    const collection = this.collections.get(path);
    if (collection && query.includes('watch=true'))
      return watch(collection, Number(new URLSearchParams(query).get('resourceVersion')), call.signal);
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

/** RFC 7386. */
function merged(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: Json = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}

function watch({ events, watchers }: Collection, from: number, signal: AbortSignal): BytesReply {
  const body = new ReplyBody({ pause() {}, resume() {}, abort: () => watchers.delete(body) });
  signal.addEventListener('abort', () => body.fail(signal.reason as Error), { once: true });
  for (const { version, line } of events) if (version > from) body.push(line);
  watchers.add(body);
  return { status: 200, headers: {}, body };
}

/** An API server in the test's own process, as far as `fleet join`, `fleet unjoin` and `fleet cordon` need one. */

import { KubeClient } from '@fleet/client/kube-client.ts';
import { bodyOf } from '@fleet/client/reply-body.ts';
import type { BytesReply, Upstream, UpstreamCall } from '@fleet/client/upstream.ts';
import { isRecord } from '@fleet/kube/is-record.ts';
import type { Manifest } from '../join/manifest.ts';

/** Chooses the requests that are never answered, as in `POST /api/v1/namespaces`. */
export type Silent = (request: string) => boolean;

export class FakeCluster {
  readonly objects = new Map<string, Manifest>();
  readonly requests: string[] = [];
  silent: Silent = () => false;
  /** Paths of what stays when it is deleted, as a namespace does while its contents cannot be listed. */
  readonly stuck = new Set<string>();
  private uids = 0;

  constructor(uid: string) {
    this.objects.set('/api/v1/namespaces/kube-system', { metadata: { name: 'kube-system', uid } });
  }

  /** Without the server's own. */
  get paths(): string[] {
    return [...this.objects.keys()].filter((path) => !path.endsWith('/kube-system')).sort();
  }

  get writes(): string[] {
    return this.requests.filter((request) => !request.startsWith('GET '));
  }

  get upstream(): Upstream {
    return { call: (call: UpstreamCall) => this.answer(call) } as unknown as Upstream;
  }

  client(upstream = this.upstream): KubeClient {
    return new KubeClient(upstream);
  }

  private async answer({ method, path: url, body, signal }: UpstreamCall): Promise<BytesReply> {
    const path = url.split('?')[0]!;
    this.requests.push(`${method} ${path}`);
    signal.throwIfAborted();
    if (this.silent(`${method} ${path}`)) return silence(signal);
    const sent = body ? (JSON.parse(String(body)) as Manifest) : undefined;
    switch (method) {
      case 'POST':
        if (this.objects.has(`${path}/${sent!.metadata.name}`)) return alreadyThere();
        return this.put(`${path}/${sent!.metadata.name}`, sent!);
      case 'PATCH': {
        const known = this.objects.get(path);
        if (!known) return missing();
        const { resourceVersion = known.metadata.resourceVersion } = sent?.metadata ?? {};
        if (resourceVersion !== known.metadata.resourceVersion) return conflict();
        return this.put(path, merged(known, sent) as Manifest);
      }
      case 'DELETE': {
        const gone = this.objects.get(path);
        if (gone && this.stuck.has(path)) return reply(200, gone);
        for (const at of [...this.objects.keys()]) {
          if (at === path || (path.startsWith('/api/v1/namespaces/') && at.startsWith(`${path}/`)))
            this.objects.delete(at);
        }
        return gone ? reply(200, gone) : missing();
      }
      default:
        return this.read(path);
    }
  }

  private put(path: string, object: Manifest): BytesReply {
    const known = this.objects.get(path)?.metadata;
    const uid = known?.uid ?? `uid-${++this.uids}`;
    const resourceVersion = `${Number(known?.resourceVersion ?? 0) + 1}`;
    const whole: Manifest = { ...object, metadata: { ...object.metadata, uid, resourceVersion } };
    // As the controllers of a real cluster would.
    if (object.type === 'kubernetes.io/service-account-token') whole.data = { token: 'dG9rZW4=' };
    if (object.kind === 'Cluster') whole.status = { conditions: [{ type: 'Ready', status: 'True' }] };
    this.objects.set(path, whole);
    return reply(201, whole);
  }

  private read(path: string): BytesReply {
    if (path === '/version') return reply(200, { gitVersion: 'v1.36.3' });
    const object = this.objects.get(path);
    if (object) return reply(200, object);
    if (!/\/(clusters|works|resourcebindings|clusterresourcebindings)$/.test(path)) return missing();
    const items = [...this.objects].filter(([at]) => at.startsWith(`${path}/`)).map(([, item]) => item);
    return reply(200, { metadata: { resourceVersion: '1' }, items });
  }
}

const reply = (status: number, value: unknown): BytesReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: bodyOf(Buffer.from(JSON.stringify(value))),
});

/** RFC 7386. */
function merged(old: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const result: Record<string, unknown> = isRecord(old) ? { ...old } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}

const alreadyThere = (): BytesReply => reply(409, { kind: 'Status', reason: 'AlreadyExists', message: 'is there' });

const conflict = (): BytesReply =>
  reply(409, { kind: 'Status', code: 409, reason: 'Conflict', message: 'the object has been modified' });

const missing = () => reply(404, { kind: 'Status', code: 404, reason: 'NotFound', message: 'not found' });

/** Hangs until the caller aborts, as a real connection does. */
const silence = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

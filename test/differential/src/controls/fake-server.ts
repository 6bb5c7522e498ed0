/** Just enough of an API server for unit tests: objects by path, lists, and watches with their history. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { parse } from 'yaml';
import type { Endpoint } from '../endpoint.ts';
import type { JsonObject } from '../request.ts';

interface Change {
  readonly collection: string;
  readonly version: number;
  readonly line: string;
}

/** YAML or JSON; undefined for neither. */
function parsed(text: string): JsonObject | undefined {
  try {
    return ((text.startsWith('{') ? JSON.parse(text) : parse(text)) as JsonObject | null) ?? undefined;
  } catch {
    return undefined;
  }
}

export class FakeServer implements AsyncDisposable {
  readonly #objects = new Map<string, JsonObject>();
  readonly #changes: Change[] = [];
  readonly #watchers = new Set<(change: Change) => void>();
  readonly #server = createServer((asked, answer) => void this.#serve(asked, answer));
  #version = 100 + Math.floor(Math.random() * 1000);

  async start(): Promise<Endpoint> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.listen(0, '127.0.0.1', resolve);
    await promise;
    return { url: `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}` };
  }

  async #serve(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const url = new URL(asked.url ?? '', 'http://fake');
    const body = parsed(await text(asked));
    const reply = (status: number, value: unknown) =>
      answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    const failure = (code: number, reason: string) => reply(code, { kind: 'Status', status: 'Failure', reason, code });
    const path = url.pathname;
    const name = (body?.['metadata'] as JsonObject | undefined)?.['name'];
    const known = this.#objects.get(path);
    // a limit in time is only on those that are meant to be refused
    if (url.searchParams.has('timeoutSeconds')) failure(422, 'Invalid');
    else if (url.searchParams.has('watch')) return this.#watch(path, url.searchParams, answer);
    else if (asked.method === 'POST') {
      const key = `${path}/${name}`;
      if (typeof name !== 'string' || body === undefined) failure(422, 'Invalid');
      else if (this.#objects.has(key)) failure(409, 'AlreadyExists');
      else
        reply(
          201,
          this.#put('ADDED', path, key, {
            ...body,
            metadata: { ...(body['metadata'] as JsonObject), uid: randomUUID() },
          }),
        );
    } else if (asked.method === 'GET' && /(configmaps|gadgets|widgets|v1)$/.test(path)) {
      const items = [...this.#objects]
        .filter(([key]) => key.startsWith(`${path}/`))
        .sort()
        .map(([, object]) => object);
      reply(200, { kind: 'List', metadata: { resourceVersion: String(this.#version) }, items });
    } else if (asked.headers['content-type']?.includes('apply') && body) {
      reply(known ? 200 : 201, this.#put('MODIFIED', path.replace(/\/[^/]+$/, ''), path, { ...known, ...body }));
    } else if (known === undefined) failure(404, 'NotFound');
    else if (asked.method === 'GET') reply(200, known);
    else if (asked.method === 'DELETE') {
      this.#objects.delete(path);
      reply(200, this.#put('DELETED', path.replace(/\/[^/]+$/, ''), undefined, known));
    } else if (asked.method === 'PUT' || asked.method === 'PATCH') {
      reply(200, this.#put('MODIFIED', path.replace(/\/[^/]+$/, ''), path, { ...known, data: body?.['data'] ?? {} }));
    } else failure(405, 'MethodNotAllowed');
  }

  #put(type: string, collection: string, key: string | undefined, object: JsonObject): JsonObject {
    const version = ++this.#version;
    const stored = { ...object, metadata: { ...(object['metadata'] as JsonObject), resourceVersion: String(version) } };
    if (key !== undefined) this.#objects.set(key, stored);
    const change = { collection, version, line: `${JSON.stringify({ type, object: stored })}\n` };
    this.#changes.push(change);
    for (const watcher of this.#watchers) watcher(change);
    return stored;
  }

  #watch(collection: string, query: URLSearchParams, answer: ServerResponse): void {
    const from = Number(query.get('resourceVersion') || this.#version);
    const send = (change: Change) =>
      change.collection === collection && change.version > from && answer.write(change.line);
    answer.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    for (const change of this.#changes) send(change);
    this.#watchers.add(send);
    answer.once('close', () => this.#watchers.delete(send));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

import { onTestFinished } from 'vitest';
import type { AccessOptions } from '../access-control.ts';
import { type ApiServer, type ApiServerOptions, encryptedPrefixes, openApiServer } from '../api-server.ts';
import { privileged, type User } from '../authn/user.ts';
import type { Connector } from '../connect/connector.ts';
import { LocalStore } from '../store/local-store.ts';
import { MemoryEngine } from '../store/memory/memory-engine.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { openLocal } from '../store/open-local.ts';

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, unknown> & { metadata?: Record<string, unknown>; items?: unknown[] };
}

export interface TestServer {
  server: ApiServer;
  /** Errors that no client saw. */
  internalErrors: unknown[];
  ask(method: string, url: string, body?: object | string, headers?: Record<string, string>): Promise<Answer>;
  /** Parsed events, until the test ends. */
  watch(url: string, headers?: Record<string, string>): Promise<AsyncIterator<{ type: string; object: KubeLike }>>;
}

export interface TestServerOptions {
  access?: AccessOptions;
  /** The user of the requests; with `undefined` they are authenticated by their headers. */
  caller?: User | undefined;
  whyNamespaceIsKept?: ApiServerOptions['whyNamespaceIsKept'];
  admission?: ApiServerOptions['admission'];
  kinds?: ApiServerOptions['kinds'];
  computed?: ApiServerOptions['computed'];
  connector?: Connector;
  /** Wraps the store that the server uses, for example to add objects or faults. */
  store?(store: ObjectStore): ObjectStore | Promise<ObjectStore>;
  /** The data directory of an SQLite store; by default objects are in memory, which is faster. */
  directory?: string;
}

export interface KubeLike {
  kind: string;
  metadata: Record<string, unknown>;
  [field: string]: unknown;
}

/** An API server on a store of its own, called in process, disposed after the test. */
export async function openServer(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startServer(options);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

/** The same for several tests. */
export async function startServer(options: TestServerOptions = {}): Promise<TestServer & AsyncDisposable> {
  const caller = 'caller' in options ? options.caller : privileged('test');
  const internalErrors: unknown[] = [];
  const { directory } = options;
  const store = directory ? openLocal({ directory, encryptedPrefixes }) : new LocalStore(new MemoryEngine());
  const server = await openApiServer({
    store: (await options.store?.(store)) ?? store,
    gitVersion: 'v1.36.3',
    access: options.access,
    whyNamespaceIsKept: options.whyNamespaceIsKept,
    admission: options.admission,
    kinds: options.kinds,
    computed: options.computed,
    connector: options.connector,
    onInternalError: (error) => internalErrors.push(error),
  });
  const ending = new AbortController();
  const call = (method: string, url: string, body: object | string | undefined, headers: Record<string, string>) =>
    server.handler({
      method,
      url,
      headers: { 'content-type': 'application/json', ...headers },
      body: Buffer.from(typeof body === 'object' ? JSON.stringify(body) : (body ?? '')),
      signal: ending.signal,
      caller,
    });
  return {
    server,
    internalErrors,
    async ask(method, url, body, headers = {}) {
      const reply = await call(method, url, body, headers);
      const text = Buffer.concat(
        Buffer.isBuffer(reply.body) ? [reply.body] : await Array.fromAsync(reply.body),
      ).toString();
      const isJson = String(reply.headers['content-type']).startsWith('application/json');
      return { status: reply.status, headers: reply.headers, body: isJson ? JSON.parse(text) : { text } };
    },
    async watch(url, headers = {}) {
      const { body } = await call('GET', url, undefined, headers);
      if (Buffer.isBuffer(body)) throw new Error(body.toString());
      return parsed(body);
    },
    async [Symbol.asyncDispose]() {
      ending.abort();
      await server[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

async function* parsed(body: AsyncIterable<Uint8Array>): AsyncGenerator<{ type: string; object: KubeLike }> {
  for await (const line of body) yield JSON.parse(Buffer.from(line).toString());
}

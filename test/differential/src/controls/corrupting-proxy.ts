/** A reverse proxy that spoils answers, to see that a run finds it. */
import { createServer, type IncomingMessage, request as plain, type ServerResponse } from 'node:http';
import { request as secure } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Endpoint } from '../endpoint.ts';

export interface Exchange {
  readonly method: string;
  readonly url: string;
  /** The run's own requests are from `differential`. */
  readonly agent: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** What is done to one answer. */
export interface Spoiling {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: (text: string) => string;
  /** For a watch: undefined drops the line. */
  readonly line?: (line: string) => string | undefined;
  /** Ends the connection after this many bytes of the body. */
  readonly cutAt?: number;
}

/** Asked for each answer; undefined lets it through untouched. */
export type Corruption = (exchange: Exchange) => Spoiling | undefined;

export interface CorruptingProxy extends AsyncDisposable {
  readonly endpoint: Endpoint;
}

export async function startCorruptingProxy(target: Endpoint, corruption: Corruption): Promise<CorruptingProxy> {
  const server = createServer((asked, answer) => forward(target, corruption, asked, answer));
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return {
    endpoint: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function forward(target: Endpoint, corruption: Corruption, asked: IncomingMessage, answer: ServerResponse): void {
  const { ca, cert, key, token } = target;
  const headers = { ...asked.headers, ...(token && { authorization: `Bearer ${token}` }) };
  const ask = target.url.startsWith('https') ? secure : plain;
  const options = {
    method: asked.method ?? 'GET',
    headers,
    ...(ca && { ca }),
    ...(cert && { cert }),
    ...(key && { key }),
  };
  // as text: URL would take the dots out of an odd path
  const { hostname, port, pathname } = new URL(target.url);
  const path = pathname.replace(/\/$/, '') + (asked.url ?? '');
  const upstream = ask({ ...options, hostname, port, path }, (reply) => {
    const { statusCode: status = 0, headers } = reply;
    const spoiling = corruption({
      method: options.method,
      url: asked.url ?? '',
      agent: asked.headers['user-agent'] ?? '',
      status,
      headers,
    });
    // a watch is passed on as it comes, and so is what is left alone
    if (!spoiling) {
      answer.writeHead(status, reply.rawHeaders);
      answer.flushHeaders();
      reply.pipe(answer);
    } else if (spoiling.line) passLines(reply, answer, spoiling.line);
    else void passBody(reply, answer, spoiling);
    answer.once('close', () => reply.destroy());
  });
  upstream.once('error', () => answer.destroy());
  asked.pipe(upstream);
}

function passLines(reply: IncomingMessage, answer: ServerResponse, spoil: (line: string) => string | undefined): void {
  answer.writeHead(reply.statusCode ?? 0, reply.rawHeaders);
  answer.flushHeaders();
  let rest = '';
  reply.setEncoding('utf8');
  reply.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const kept = spoil(line);
      if (kept !== undefined) answer.write(`${kept}\n`);
    }
  });
  reply.once('end', () => answer.end());
  reply.once('error', () => answer.destroy());
}

async function passBody(reply: IncomingMessage, answer: ServerResponse, spoiling: Spoiling): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of reply) chunks.push(chunk as Buffer);
  const whole = Buffer.concat(chunks);
  const body = spoiling.body ? Buffer.from(spoiling.body(whole.toString())) : whole;
  const { 'transfer-encoding': _, ...headers } = reply.headers;
  const { status = reply.statusCode ?? 0, cutAt } = spoiling;
  answer.writeHead(status, { ...headers, 'content-length': String(body.length), ...spoiling.headers });
  if (cutAt === undefined) answer.end(body);
  else answer.write(body.subarray(0, cutAt), () => answer.destroy());
}

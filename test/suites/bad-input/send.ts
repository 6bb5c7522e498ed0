/** Sends requests as they are written, each with a deadline, and returns what came of them. */

import * as http from 'node:http';
import * as https from 'node:https';
import type { Duplex } from 'node:stream';
import type { Product } from '@fleet/bed/product.ts';
import type { FuzzRequest } from './request.ts';

export interface Outcome {
  request: FuzzRequest;
  /** 0: none came. */
  status: number;
  contentType: string;
  /** Its beginning, of long ones. */
  body: string;
  milliseconds: number;
  /** Why there was no whole answer. */
  failure?: string;
}

export interface Credentials {
  ca: string;
  cert: string;
  key: string;
}

/** kube-apiserver waits three seconds for versions to come, and answers of many members come after one another. */
export const deadline = 15_000;
export const tooLate = `nothing more came within ${deadline} ms`;
const longest = 100_000;

/** What may go on for as long as it is asked to; its beginning is enough. */
const isStream = ({ target }: FuzzRequest): boolean => /watch|log|follow|proxy\/?.*proxy/.test(target);

/** A connection's last request: what is wrong with an answer may have begun with the one before. */
const lastOn = new WeakMap<Duplex, number>();

function described(error: Error & { rawPacket?: Buffer }, before: number | undefined): string {
  const bytes = error.rawPacket ? `, in ${JSON.stringify(error.rawPacket.toString('latin1', 0, 600))}` : '';
  return `${error.message}, ${before === undefined ? 'first' : `behind #${before}`} on its connection${bytes}`;
}

/** Over TLS or, for an https address, without. */
export function send(
  server: URL,
  agent: http.Agent,
  request: FuzzRequest,
  token = '',
  within = deadline,
): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const begun = performance.now();
  let before: number | undefined;
  const outcome: Outcome = { request, status: 0, contentType: '', body: '', milliseconds: 0 };
  const settle = (failure?: string) => {
    clearTimeout(late);
    outcome.milliseconds = performance.now() - begun;
    resolve(failure === undefined ? outcome : { ...outcome, failure });
  };
  const { method, headers, body } = request;
  const path = request.target.replaceAll('{token}', token);
  const length = body === undefined ? {} : { 'content-length': String(body.length) };
  const { request: begin } = server.protocol === 'http:' ? http : https;
  const asking = begin({
    host: server.hostname,
    port: server.port,
    method,
    path,
    headers: { ...headers, ...length },
    agent,
  });
  const late = setTimeout(() => {
    settle(outcome.status > 0 && isStream(request) ? undefined : tooLate);
    asking.destroy();
  }, within);
  asking.on('socket', (socket) => {
    before = lastOn.get(socket);
    lastOn.set(socket, request.index);
  });
  asking.on('error', (error) => settle(described(error, before)));
  asking.on('response', (response) => {
    outcome.status = response.statusCode ?? 0;
    outcome.contentType = response.headers['content-type'] ?? '';
    response.on('data', (data: Buffer) => {
      if (outcome.body.length < longest) outcome.body += data.toString('latin1');
    });
    response.on('end', () => settle());
    response.on('error', (error) => settle(error.message));
  });
  asking.end(body);
  return promise;
}

/** So many at a time. */
export async function sendAll(
  { server, ca }: Pick<Product, 'server' | 'ca'>,
  { cert, key }: Pick<Credentials, 'cert' | 'key'>,
  requests: Iterable<FuzzRequest>,
  token: string,
  width = 12,
): Promise<Outcome[]> {
  const agent = new https.Agent({ keepAlive: true, maxSockets: width, ca, cert, key });
  const outcomes: Outcome[] = [];
  const waiting = requests[Symbol.iterator]();
  const lane = async () => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) {
      outcomes.push(await send(new URL(server), agent, next.value, token));
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  agent.destroy();
  return outcomes;
}

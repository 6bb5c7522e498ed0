/** A client as a process of its own that counts bytes: lists, pages one behind the other, and requests at a steady rate. */

import { setTimeout as pause } from 'node:timers/promises';
import { type Dispatcher, Pool } from 'undici';
import { answerParent } from '../scale/child-process.ts';

export interface Server {
  name: string;
  /** `https://HOST:PORT` */
  url: string;
  ca: string;
  cert: string;
  key: string;
}

export interface Ask {
  /** All of them at once. */
  servers: readonly string[];
  path: string;
  accept?: string;
  gzip?: boolean;
}

export interface PagesAsk extends Ask {
  limit: number;
  /** At most. */
  pages: number;
}

export interface RateAsk extends Omit<Ask, 'path'> {
  /** In turns. */
  paths: readonly string[];
  perSecond: number;
  seconds: number;
}

export interface TotalAsk extends Omit<Ask, 'path'> {
  /** In turns. */
  paths: readonly string[];
  total: number;
}

export interface Taken {
  millis: number;
  bytes: number;
}

/** Milliseconds of each request. */
export interface Rate {
  millis: number[];
  failed: number;
}

const connections = 16;
const timeout = 120_000;
const pools = new Map<string, Pool>();

interface Answer {
  bytes: number;
  /** What comes last, where the token of a page may be. */
  ends: Buffer;
  begins: Buffer;
}

function get(
  name: string,
  path: string,
  { accept = 'application/json', gzip = false }: Omit<Ask, 'path'>,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  let [bytes, status] = [0, 0];
  let begins: Buffer | undefined;
  let last: Buffer[] = [];
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: () => {},
    onResponseStart: (_, code) => {
      status = code;
    },
    onResponseData: (_, chunk) => {
      bytes += chunk.length;
      begins ??= chunk;
      last = [...last.slice(-1), chunk];
    },
    onResponseEnd: () => {
      const answer = { bytes, ends: Buffer.concat(last), begins: begins ?? Buffer.alloc(0) };
      if (status === 200) resolve(answer);
      else reject(new Error(`${name}${path}: ${status} ${answer.ends.toString('utf8', 0, 1_000)}`));
    },
    onResponseError: (_, error) => reject(error),
  };
  // Set: curl's and browsers' agents are given pretty-printed JSON.
  const headers = { accept, 'user-agent': 'bench', ...(gzip ? { 'accept-encoding': 'gzip' } : {}) };
  pools.get(name)!.dispatch({ method: 'GET', path, headers }, handler);
  return promise;
}

/** Behind the items in ours, in front of them in Go's lists. */
function tokenIn({ begins, ends }: Answer): string | undefined {
  for (const text of [
    begins.toString('latin1', 0, 4_096),
    ends.toString('latin1', Math.max(0, ends.length - 16_384)),
  ]) {
    const found = /"continue":"([^"]+)"/.exec(text)?.[1];
    if (found) return found;
  }
  return undefined;
}

async function timed<T>(work: () => Promise<T>): Promise<{ millis: number; result: T }> {
  const begun = performance.now();
  const result = await work();
  return { millis: performance.now() - begun, result };
}

const commands = {
  async know(servers: readonly Server[]): Promise<void> {
    for (const { name, url, ca, cert, key } of servers) {
      await pools.get(name)?.destroy();
      const connect = { ca, cert, key, timeout };
      const patience = { headersTimeout: timeout, bodyTimeout: timeout, keepAliveTimeout: timeout };
      pools.set(name, new Pool(url, { connections, pipelining: 1, allowH2: false, connect, ...patience }));
    }
  },

  async list(ask: Ask): Promise<Taken> {
    const { millis, result } = await timed(() => Promise.all(ask.servers.map((name) => get(name, ask.path, ask))));
    return { millis, bytes: result.reduce((sum, { bytes }) => sum + bytes, 0) };
  },

  /** Milliseconds of each page, from the first on. */
  async pages({ servers, path, limit, pages, ...ask }: PagesAsk): Promise<number[]> {
    const taken: number[] = [];
    let token: string | undefined = '';
    const first = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`;
    while (token !== undefined && taken.length < pages) {
      const later: string = token === '' ? first : `${first}&continue=${encodeURIComponent(token)}`;
      const { millis, result } = await timed(() => get(servers[0]!, later, { servers, ...ask }));
      taken.push(millis);
      token = tokenIn(result);
    }
    return taken;
  },

  /** One behind the other over each connection; `total` requests in all. */
  async total({ servers, paths, total, ...ask }: TotalAsk): Promise<Rate> {
    const taken: Rate = { millis: [], failed: 0 };
    let sent = 0;
    const worker = async () => {
      while (sent < total) {
        const number = sent++;
        const request = timed(() => get(servers[0]!, paths[number % paths.length]!, { servers, ...ask }));
        await request.then(
          ({ millis }) => void taken.millis.push(millis),
          () => void taken.failed++,
        );
      }
    };
    await Promise.all(Array.from({ length: connections }, worker));
    return taken;
  },

  /** From when a request is handed over, so that timers of this process do not count. */
  async rate({ servers, paths, perSecond, seconds, ...ask }: RateAsk): Promise<Rate> {
    const taken: Rate = { millis: [], failed: 0 };
    const begun = performance.now();
    const total = perSecond * seconds;
    const under: Promise<void>[] = [];
    for (let sent = 0; sent < total; ) {
      const due = Math.min(total, Math.floor(((performance.now() - begun) / 1_000) * perSecond) + 1);
      for (; sent < due; sent++) {
        const path = paths[sent % paths.length]!;
        const request = timed(() => get(servers[sent % servers.length]!, path, { servers, ...ask }));
        under.push(
          request.then(
            ({ millis }) => void taken.millis.push(millis),
            () => void taken.failed++,
          ),
        );
      }
      await pause(1);
    }
    await Promise.all(under);
    return taken;
  },
};

export type ClientCommands = typeof commands;

if (process.send && import.meta.main) answerParent(commands);

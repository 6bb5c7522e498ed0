/** The load generator, run as a process of its own so that it takes no time from what it measures. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type Dispatcher, Pool } from 'undici';

/** `{n}` in path and body stands for the number of the request. */
export interface Job {
  origin: string;
  path: string;
  tls: { ca: string; cert?: string; key?: string };
  connections: number;
  requests: number;
  /** Of the first request; 0 unless said otherwise. */
  first?: number;
  /** Makes it a POST; a GET otherwise. */
  body?: string;
}

export interface Load {
  seconds: number;
  bytes: number;
  /** Milliseconds of each request. */
  latencies: number[];
}

export interface LoadGenerator extends Disposable {
  run(job: Job): Promise<Load>;
}

export function startLoadGenerator(): LoadGenerator {
  const child = fork(import.meta.filename, { serialization: 'advanced' });
  return {
    async run(job) {
      child.send(job);
      const ended = new AbortController();
      const died = once(child, 'exit', { signal: ended.signal }).then(([code]) => {
        throw new Error(`the load generator ended with ${code}`);
      });
      try {
        const [answer] = (await Promise.race([once(child, 'message', { signal: ended.signal }), died])) as [
          Load | Error,
        ];
        if (answer instanceof Error) throw answer;
        return answer;
      } finally {
        ended.abort();
        died.catch(() => {});
      }
    },
    [Symbol.dispose]: () => child.kill(),
  };
}

const pools = new Map<string, Pool>();

/** Kept between jobs: handshakes are not what is measured. */
function poolFor({ origin, tls, connections }: Job): Pool {
  const key = `${origin} ${connections}`;
  const known = pools.get(key);
  if (known) return known;
  const keepAlive = { keepAliveTimeout: 60_000, keepAliveMaxTimeout: 60_000 };
  // 256 handshakes at once take their time on a busy machine.
  const connect = { ...tls, timeout: 60_000 };
  const pool = new Pool(origin, { connections, pipelining: 1, allowH2: false, connect, ...keepAlive });
  pools.set(key, pool);
  return pool;
}

// Set: curl's and browsers' agents are given pretty-printed JSON.
const headers = { accept: 'application/json', 'user-agent': 'bench' };

/** The bytes of the answer; throws unless it is a 200, or for a POST a 201. */
function ask(pool: Pool, path: string, body: string | undefined): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const wanted = body === undefined ? 200 : 201;
  let [bytes, status] = [0, 0];
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: () => {},
    onResponseStart: (_, code) => {
      status = code;
    },
    onResponseData: (_, chunk) => {
      bytes += chunk.length;
    },
    onResponseEnd: () => (status === wanted ? resolve(bytes) : reject(new Error(`${path}: ${status}`))),
    onResponseError: (_, error) => reject(error),
  };
  if (body === undefined) pool.dispatch({ method: 'GET', path, headers }, handler);
  else
    pool.dispatch({ method: 'POST', path, headers: { ...headers, 'content-type': 'application/json' }, body }, handler);
  return promise;
}

async function carryOut(job: Job): Promise<Load> {
  const pool = poolFor(job);
  const latencies: number[] = [];
  const { path, body, first = 0 } = job;
  let [begun, bytes] = [0, 0];
  const worker = async () => {
    while (begun < job.requests) {
      const number = String(first + begun++);
      const start = performance.now();
      // Apart: `+=` would read the sum before it waits, and lose what others add meanwhile.
      const size = await ask(pool, path.replace('{n}', number), body?.replace('{n}', number));
      bytes += size;
      latencies.push(performance.now() - start);
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: job.connections }, worker));
  return { seconds: (performance.now() - start) / 1000, bytes, latencies };
}

if (process.send && import.meta.main) {
  process.on('message', (job: Job) => {
    carryOut(job).then(
      (load) => process.send!(load),
      (error) => process.send!(error),
    );
  });
}

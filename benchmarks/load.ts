/** The load generator, run as a process of its own so that it takes no time from what it measures. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type Dispatcher, Pool } from 'undici';

/** `{n}` in path and body stands for the number of the request, `{of}` in the path for it within `of`. */
export interface Job {
  origin: string;
  path: string;
  tls: { ca: string; cert?: string; key?: string };
  connections: number;
  requests: number;
  /** Of the first request; 0 by default. */
  first?: number;
  /** Makes it a POST; a GET otherwise. */
  body?: string;
  /** The body is a merge patch. */
  patches?: boolean;
  /** How many names there are that `{of}` goes through. */
  of?: number;
  /** Requests that are refused with 429 are counted, not an error. */
  countsRefused?: boolean;
}

export interface Load {
  seconds: number;
  bytes: number;
  /** Milliseconds of each request. */
  latencies: number[];
  /** How many were answered with 429. */
  refused: number;
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

/** The bytes of the answer, or `refused`; throws unless it is a 200, or for a POST a 201. */
function ask(pool: Pool, path: string, body: string | undefined, job: Job): Promise<number | 'refused'> {
  const { promise, resolve, reject } = Promise.withResolvers<number | 'refused'>();
  const expected = body === undefined || job.patches ? 200 : 201;
  let [bytes, status] = [0, 0];
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: () => {},
    onResponseStart: (_, code) => {
      status = code;
    },
    onResponseData: (_, chunk) => {
      bytes += chunk.length;
    },
    onResponseEnd: () => {
      if (status === expected) resolve(bytes);
      else if (status === 429 && job.countsRefused) resolve('refused');
      else reject(new Error(`${path}: ${status}`));
    },
    onResponseError: (_, error) => reject(error),
  };
  const [method, type] = job.patches
    ? (['PATCH', 'application/merge-patch+json'] as const)
    : (['POST', 'application/json'] as const);
  if (body === undefined) pool.dispatch({ method: 'GET', path, headers }, handler);
  else pool.dispatch({ method, path, headers: { ...headers, 'content-type': type }, body }, handler);
  return promise;
}

async function carryOut(job: Job): Promise<Load> {
  const pool = poolFor(job);
  const latencies: number[] = [];
  const { path, body, first = 0, of = 1 } = job;
  let [begun, bytes, refused] = [0, 0, 0];
  const worker = async () => {
    while (begun < job.requests) {
      const count = first + begun++;
      const number = String(count);
      const start = performance.now();
      // Apart: `+=` would read the sum before it waits, and lose what others add meanwhile.
      const at = path.replace('{n}', number).replace('{of}', String(count % of));
      const size = await ask(pool, at, body?.replaceAll('{n}', number), job);
      if (size === 'refused') refused += 1;
      else bytes += size;
      latencies.push(performance.now() - start);
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: job.connections }, worker));
  return { seconds: (performance.now() - start) / 1000, bytes, latencies, refused };
}

if (process.send && import.meta.main) {
  process.on('message', (job: Job) => {
    carryOut(job).then(
      (load) => process.send!(load),
      (error) => process.send!(error),
    );
  });
}

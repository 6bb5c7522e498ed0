/** The embedded API server under generated requests: no 5xx of its own, nothing cut, nothing grows, nothing holds its event loop. */

import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Mutant } from '@fleet/bed/mutant.ts';
import { until } from '@fleet/bed/until.ts';
import { Connection } from '@fleet/differential/connection.ts';
import { layDefinitions } from '@fleet/differential/ground.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { definitions } from './apiserver-load/definitions.ts';
import { crate, crates, largeOnes, namespace } from './apiserver-load/large.ts';
import { sendLoad } from './apiserver-load/load.ts';
import type { Measured } from './apiserver-load/measured-server.ts';
import { releaseAll } from './apiserver-load/release.ts';
import { Tally } from './apiserver-load/tally.ts';
import { Witness } from './apiserver-load/witness.ts';
import type { FuzzRequest } from './bad-input/request.ts';
import { send } from './bad-input/send.ts';
import { ServerProcess } from './embedded/server-process.ts';

const count = Number(process.env['APISERVER_LOAD_COUNT'] ?? 3_000);
/** Another each time in the long run, printed: what is found is found again with it, and with APISERVER_LOAD_FROM for a later number. */
const seed = process.env['APISERVER_LOAD_SEED'] ?? '77';
const from = Number(process.env['APISERVER_LOAD_FROM'] ?? 0);
const lanes = Number(process.env['APISERVER_LOAD_LANES'] ?? 4);

/** In milliseconds (LIMIT-3). */
const tolerated = 50;
/** Requests between which the event loop is asked for. */
const chunk = 500;

const program = fileURLToPath(new URL('./apiserver-load/measured-server.ts', import.meta.url));

let witness: Witness;
const folders: string[] = [];

beforeAll(async () => {
  witness = await Witness.start();
});

afterAll(async () => {
  await witness?.[Symbol.asyncDispose]();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function startServer(mutant?: Mutant): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-apiserver-load-'));
  folders.push(folder);
  const server = await ServerProcess.startAs(folder, { mutant, program, nodeFlags: ['--expose-gc'] });
  await using connection = new Connection({ url: server.url });
  const ask = (method: string, path: string, body?: object) => asked(connection, method, path, body);
  const isServed = async (path: string) => (await ask('GET', path)).status === 200;
  for (const name of [namespace, 'bad-input']) await ask('POST', '/api/v1/namespaces', { metadata: { name } });
  const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  for (const definition of definitions) expect((await ask('POST', crds, definition)).status).toBe(201);
  for (const resource of ['v1/crates', 'v2/crates', 'v1/puzzles'])
    await until(`${resource} are served`, () => isServed(`/apis/load.fleet.dev/${resource}`));
  await layPods(connection);
  await layDefinitions(connection);
  return server;
}

const asked = (connection: Connection, method: string, path: string, body?: object) =>
  connection.send({
    method,
    path,
    query: [],
    headers: { 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });

/** Those that large patches are of. */
async function layPods(connection: Connection): Promise<void> {
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  for (let index = 0; index < 6; index += 1)
    await asked(connection, 'POST', `/api/v1/namespaces/${namespace}/pods`, {
      metadata: { name: `large-${index}` },
      spec,
    });
}

/** What is there by chance would look like growth. */
async function clear(server: ServerProcess): Promise<void> {
  await using connection = new Connection({ url: server.url });
  for (const path of largeOnes) await asked(connection, 'DELETE', path);
  await releaseAll(connection);
  await layPods(connection);
}

interface Run {
  tally: Tally;
  faults: string[];
  longest: number;
  half: Measured;
  after: Measured;
}

/** All that is wrong, but for what takes a judgement of its own. */
async function run(server: ServerProcess, amount: number): Promise<Run> {
  const tally = new Tally();
  const load = (first: number, some: number) =>
    sendLoad({ url: server.url, seed, from: first, count: some, lanes }, tally);
  /** Another's work may look like the server's own once; what its own work is comes again with the same requests. */
  const longestOf = async (first: number, some: number): Promise<number> => {
    await load(first, some);
    const { longest, stalls } = await server.asked<Measured>();
    for (const stall of stalls.filter(({ held }) => held > 40)) console.log(tally.during(stall));
    if (longest < tolerated) return longest;
    await load(first, some);
    return Math.min(longest, (await server.asked<Measured>()).longest);
  };
  const longestIn = async (first: number, last: number): Promise<number> => {
    let longest = 0;
    for (let at = first; at < last; at += chunk)
      longest = Math.max(longest, await longestOf(at, Math.min(chunk, last - at)));
    return longest;
  };
  // What is compiled and kept once is no growth, and takes its time.
  await load(1_000_000, Math.min(200, amount / 4));
  await server.asked<Measured>();
  const middle = from + Math.ceil(amount / 2);
  const first = await longestIn(from, middle);
  const half = await atRest(server);
  const longest = Math.max(first, await longestIn(middle, from + amount));
  const after = await atRest(server, half);
  const faults = [...tally.faults, ...(await witness.refutes(tally.serverErrors, server.url))];
  return { tally, faults, longest, half, after };
}

/** Threads end when they have had nothing to do for a while, and what was cut is closed in a moment. */
async function atRest(server: ServerProcess, before?: Measured): Promise<Measured> {
  await clear(server);
  const first = await server.asked<Measured>();
  let last = first;
  const isFlat = async () => {
    last = await server.asked<Measured>();
    return before === undefined ? last.files <= first.files : !hasGrown(before, last);
  };
  await until('it holds no more than before', isFlat, { timeout: 20_000, every: 500 }).catch(() => undefined);
  return last;
}

/** What caches may hold, 8 MiB of events for each kind, is no growth. */
const hasGrown = (before: Measured, after: Measured): boolean =>
  after.files > before.files + 20 || after.megabytes > before.megabytes * 1.2 + 64;

describe(`${count} requests from seed ${seed}`, () => {
  test('LIMIT-3: every answer is in time and no 5xx of its own, and the event loop is never held for 50 ms', {
    timeout: 180_000 + count * 100,
  }, async () => {
    await using server = await startServer();
    const { tally, faults, longest, half, after } = await run(server, count);
    const { statuses, slowest } = tally;
    const rest = ({ files, megabytes }: Measured) => ({ files, megabytes: Math.round(megabytes) });
    console.log({ seed, sent: tally.count, statuses, slowest, longest, half: rest(half), after: rest(after) });
    expect(faults).toEqual([]);
    expect(server.hasEnded).toBe(false);
    expect(longest).toBeLessThan(tolerated);
    expect(hasGrown(half, after), JSON.stringify([rest(half), rest(after)])).toBe(false);
    if (count < 1_000) return;
    // Of both there must be many, or nothing is shown.
    const answered = (least: number) =>
      Object.entries(statuses).reduce(
        (sum, [status, some]) => (Math.floor(Number(status) / 100) === least ? sum + some : sum),
        0,
      );
    expect(answered(2)).toBeGreaterThan(count / 4);
    expect(answered(4)).toBeGreaterThan(count / 4);
  });
});

describe('negative controls', () => {
  /** What a server with a bug makes of one request that meets it, a few times over. */
  async function met(mutant: Mutant, request: Pick<FuzzRequest, 'method' | 'target'> & { body?: object }, times = 1) {
    await using server = await startServer(mutant);
    const { body, ...rest } = request;
    const before = await server.asked<Measured>();
    const tally = new Tally();
    for (let index = 0; index < times; index += 1) {
      const sent = body ? { body: Buffer.from(JSON.stringify(body)) } : {};
      const headers = { 'content-type': 'application/json' };
      tally.add(await send(new URL(server.url), new Agent(), { index, headers, ...rest, ...sent }));
    }
    const after = await server.asked<Measured>();
    return { before, after, faults: await witness.refutes(tally.serverErrors, server.url) };
  }

  test('a server that stumbles over one kind is noticed', async () => {
    const { faults } = await met(
      {
        file: 'apiserver/src/kinds/leases.ts',
        from: 'leaseErrors((spec ?? {}) as LeaseSpec)',
        to: 'leaseErrors((spec as any).none)',
      },
      {
        method: 'POST',
        target: `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`,
        body: { metadata: { name: 'a' }, spec: { holderIdentity: 'x' } },
      },
    );
    expect(faults).toHaveLength(1);
  });

  test('a server that keeps something of each watch is noticed', async () => {
    const { before, after } = await met(
      {
        file: 'apiserver/src/http/read-verbs.ts',
        from: 'const end = AbortSignal.timeout(',
        to: '((globalThis as any).kept ??= []).push(Buffer.alloc(1 << 24)); const end = AbortSignal.timeout(',
      },
      { method: 'GET', target: `/api/v1/namespaces/${namespace}/configmaps?watch=1&timeoutSeconds=1` },
      10,
    );
    expect(hasGrown(before, after)).toBe(true);
  });

  test('a server that does long work where it listens is noticed', async () => {
    const numbers = Array.from({ length: 300_000 }, (_, index) => index);
    const { after } = await met(
      {
        file: 'apiserver/src/long-requests/long-requests.ts',
        from: 'if (isLong(resource, call)) return this.#onThread(call);',
        to: '',
      },
      { method: 'POST', target: crates, body: crate('large', { numbers }) },
    );
    expect(after.longest).toBeGreaterThan(tolerated);
  });

  test('a server with expressions that can take for ever is noticed', async () => {
    const { after } = await met(
      {
        file: 'apiserver/src/regular-expressions/expression.ts',
        from: 'test: (text) => compiled.matcher(text).find(),',
        to: 'test: (text) => new RegExp(source).test(text),',
      },
      // A longer one would end with the server.
      { method: 'POST', target: crates, body: crate('slow', { word: `${'a'.repeat(26)}!` }) },
    );
    expect(after.longest).toBeGreaterThan(tolerated);
  });
});

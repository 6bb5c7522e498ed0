/** Bad input from a seed: each request has an answer in time that is no 500, and nothing reaches members that should not (ERR-4, LIMIT-3). */

import { readdir, readFile } from 'node:fs/promises';
import type { AuditEntry } from '@fleet/bed/audit-entry.ts';
import { type Heap, openHeap } from '@fleet/bed/heap.ts';
import type { Member } from '@fleet/bed/member.ts';
import type { Product } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestOf } from './bad-input/generator.ts';
import { faultsOf, reached, spreadOf } from './bad-input/judge.ts';
import { type FuzzRequest, shown } from './bad-input/request.ts';
import { type Credentials, type Outcome, sendAll } from './bad-input/send.ts';
import { namespace } from './bad-input/words.ts';
import { loopTimes } from './event-loop.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { getPage } from './paging.ts';
import { unexpectedLines } from './product-log.ts';
import { apply, binding, reach } from './rbac.ts';
import { watchMember } from './seen.ts';

/** The same seed sends the same requests, and a change is not to fail for another's luck; BAD_INPUT_FROM begins at a later one. */
const seed = process.env['BAD_INPUT_SEED'] ?? '1';
const count = Number(process.env['BAD_INPUT_COUNT'] ?? 3_000);
const from = Number(process.env['BAD_INPUT_FROM'] ?? 0);

const user = 'fuzzer';

let fleet: Fleet<'member1' | 'member2'>;

beforeAll(async () => {
  fleet = await startFleet({
    member1: { version: 'newest', nodes: 0 },
    member2: { version: 'older', nodes: 0 },
  });
  await apply(fleet.controlPlane, reach, binding(user, 'reach', { kind: 'User', name: user }));
  for (const [index, member] of Object.values(fleet.members).entries()) {
    const named = (kind: string, name: string) => ({ apiVersion: 'v1', kind, metadata: { name, namespace } });
    const names = ['shared-0', 'shared-1', `only-${index + 1}`];
    await apply(
      ...[member, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }],
      ...names.flatMap((name) => [named('ConfigMap', name), named('Secret', name)]),
      // Whatever the requests are: they change nothing outside their namespace.
      ...[binding(user, 'view', { kind: 'User', name: user }), adminThere],
    );
  }
});

const group = 'rbac.authorization.k8s.io';
const adminThere = {
  apiVersion: `${group}/v1`,
  kind: 'RoleBinding',
  metadata: { name: user, namespace },
  roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'admin' },
  subjects: [{ apiGroup: group, kind: 'User', name: user }],
};

afterAll(() => fleet?.[Symbol.asyncDispose]());

async function credentialsOf(product: Product): Promise<Credentials> {
  const kubeconfig = await readFile(await product.userKubeconfig(user), 'utf8');
  const pem = (key: string) =>
    Buffer.from(new RegExp(`${key}: (\\S+)`).exec(kubeconfig)?.[1] ?? '', 'base64').toString();
  return { ca: product.ca, cert: pem('client-certificate-data'), key: pem('client-key-data') };
}

const impersonator = 'system:serviceaccount:fleet-system:fleet-impersonator';

interface Run {
  requests: FuzzRequest[];
  outcomes: Outcome[];
  lines: AuditEntry[];
  faults: string[];
}

async function run(product: Product, first: number, amount: number): Promise<Run> {
  const members = Object.values(fleet.members);
  const readers = await Promise.all(members.map(watchMember));
  const requests = Array.from({ length: amount }, (_, index) => requestOf(seed, first + index));
  const { metadata } = await getPage(product, `/api/v1/namespaces/${namespace}/configmaps?limit=1`);
  const credentials = await credentialsOf(product);
  const outcomes = await sendAll(product, credentials, requests, metadata.continue ?? '');
  const entries = await Promise.all(readers.map((read) => read()));
  const seen = members.map((member, at) => ({ member, lines: (entries[at] ?? []).filter(isOurs) }));
  const lines = seen.flatMap((one) => one.lines);
  const addresses = members.flatMap(({ server, directServer }) => [new URL(server).host, new URL(directServer).host]);
  const secrets = [...addresses, 'PRIVATE KEY', 'node:internal'];
  const faults = [...faultsOf({ outcomes, lines, user, secrets }), ...(await notTheMembers(outcomes, seen))];
  return { requests, outcomes, lines, faults };
}

/** The product's own questions to members are not about our requests. */
const isOurs = ({ user: by, impersonatedUser, userAgent }: AuditEntry): boolean =>
  userAgent.startsWith('bad-input/') || (by === impersonator && impersonatedUser === user);

/** A 5xx that a member gave us must be what it gives to anybody who asks it the same; what was written may be gone by now. */
async function notTheMembers(outcomes: readonly Outcome[], seen: { member: Member; lines: AuditEntry[] }[]) {
  const faults: string[] = [];
  for (const { request, status } of outcomes.filter((outcome) => outcome.status >= 500 && !outcome.request.body)) {
    for (const { member, lines } of seen) {
      const line = lines.find((one) => one.userAgent === request.headers['user-agent'] && one.code === status);
      if (!line) continue;
      const { directServer, ca, admin } = member;
      const again = { ...request, target: line.requestURI };
      const [direct] = await sendAll({ server: directServer, ca }, admin, [again], '');
      // 404: gone since, so that nobody can know.
      const isSame = direct?.failure !== undefined || direct?.status === 404 || (direct?.status ?? 0) >= 500;
      if (!isSame) faults.push(`ERR-4: ${status}, and ${direct?.status} by ${member.name} itself: ${shown(request)}`);
    }
  }
  return faults;
}

/** What the process holds: memory after a full collection, as what the process has of the machine's depends on when V8 collects. */
async function held({ pid }: Product, heap: Heap) {
  const files = (await readdir(`/proc/${pid}/fd`)).length;
  return { files, megabytes: (await heap.collected()) / 1e6 };
}

/** Megabytes. What is cached has its bounds; 4 kB of each request of a half would show. */
const growth = 6;

/** For how long so far its main thread was ready and had no CPU, in milliseconds: what others take is not its stall. */
async function starved({ pid }: Product): Promise<number> {
  const [, nanoseconds] = (await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ');
  return Number(nanoseconds) / 1e6;
}

describe(`${count} requests from seed ${seed}`, () => {
  test('ERR-4: every answer and everything that members saw is as it must be', {
    timeout: 60_000 + count * 60,
  }, async () => {
    const half = Math.ceil(count / 2);
    using heap = await openHeap(fleet.product);
    await run(fleet.product, 1_000_000, 300);
    await loopTimes(fleet.product);
    const starvedBefore = await starved(fleet.product);
    const first = await run(fleet.product, from, half);
    const before = await held(fleet.product, heap);
    const second = await run(fleet.product, from + half, count - half);
    const loop = await loopTimes(fleet.product);
    const waited = (await starved(fleet.product)) - starvedBefore;
    // What was cut is closed in a moment; threads that read large bodies end when they had nothing to do for a while.
    let after = await held(fleet.product, heap);
    const atRest = async () => {
      after = await held(fleet.product, heap);
      return after.files <= before.files + 20 && after.megabytes < before.megabytes + growth;
    };
    await until('it holds no more than before', atRest, { timeout: 40_000 }).catch(() => {});
    const outcomes = [...first.outcomes, ...second.outcomes];
    const requests = [...first.requests, ...second.requests];
    const lines = [...first.lines, ...second.lines];
    const slowest = Math.max(...outcomes.map(({ milliseconds }) => milliseconds));
    console.log({
      seed,
      count,
      answers: spreadOf(outcomes),
      reached: reached(requests, lines),
      slowest,
      loop,
      waited,
      before,
      after,
    });
    expect([...first.faults, ...second.faults]).toEqual([]);
    if (count < 1_000) return;
    // Of both there must be many, or nothing is shown.
    expect(reached(requests, lines)).toBeGreaterThan(count / 5);
    expect(outcomes.filter(({ status }) => status >= 400 && status < 500).length).toBeGreaterThan(count / 5);
    expect(after.files).toBeLessThanOrEqual(before.files + 20);
    expect(after.megabytes).toBeLessThan(before.megabytes + growth);
    expect(loop.work.most).toBeLessThan(500);
    expect(loop.delay.most).toBeLessThan(500 + waited);
  });

  test('it still runs, and nothing unexpected is in its log', async () => {
    const ended = await Promise.race([fleet.product.ended, new Promise((resolve) => setTimeout(resolve, 10))]);
    expect(ended).toBeUndefined();
    const unexpected = unexpectedLines(await readFile(fleet.product.log, 'utf8'));
    expect(unexpected.filter((line) => !/^(Debugger |For help, see)/.test(line))).toEqual([]);
  });
});

describe('negative controls', () => {
  const faults = async (mutant: Parameters<typeof fleet.withMutant>[0]) =>
    (await run(await fleet.withMutant(mutant), 0, 600)).faults;

  test('a product that lets its own parameters through is noticed', async () => {
    const found = await faults({
      file: 'server/src/target/query.ts',
      from: 'rest: pairs.filter((pair) => !own.has(keyOf(pair)))',
      to: 'rest: pairs.filter((pair) => pair !== null)',
    });
    expect(found.some((fault) => fault.startsWith('URL-9'))).toBe(true);
  });

  test('a product that keeps something of each request is noticed', async () => {
    const product = await fleet.withMutant({
      file: 'server/src/gateway.ts',
      from: 'const parsed = parseTarget(',
      to: '(globalThis.kept ??= []).push(new Uint8Array(60_000)); const parsed = parseTarget(',
    });
    using heap = await openHeap(product);
    await run(product, 1_000_000, 300);
    const before = await held(product, heap);
    await run(product, 0, 300);
    expect((await held(product, heap)).megabytes).toBeGreaterThan(before.megabytes + growth);
  });

  test('a product that takes bad encoding for its own fault is noticed', async () => {
    const found = await faults({
      file: 'server/src/target/path.ts',
      from: 'is not valid percent-encoding`, { cause });',
      to: 'is not valid percent-encoding`, { cause }), cause;',
    });
    expect(found.some((fault) => fault.startsWith('ERR-4: a 5xx'))).toBe(true);
  });
});

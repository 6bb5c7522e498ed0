/** Hostile requests, byte by byte: each has its answer, and the members' audit logs show what became of it (URL-8, IMP-4, ERR-4). */

import { readFile } from 'node:fs/promises';
import type { AuditEntry } from '@fleet/bed/audit-entry.ts';
import type { Product } from '@fleet/bed/product.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fleet, startFleet } from './fleet.ts';
import { bodyRows } from './hostile/bodies.ts';
import { headRows } from './hostile/heads.ts';
import { pathRows } from './hostile/paths.ts';
import { overHttp2, type RawAnswer, type RawEndpoint, raw } from './hostile/raw-http.ts';
import { memberPath, type Row } from './hostile/row.ts';
import { unexpectedLines } from './product-log.ts';
import { apply, binding, reach } from './rbac.ts';
import { watchMember } from './seen.ts';

let fleet: Fleet<'member1' | 'member2'>;
let token: string;

const rows: readonly Row[] = [...pathRows, ...headRows, ...bodyRows];

const builder = 'system:serviceaccount:default:builder';

beforeAll(async () => {
  fleet = await startFleet({
    member1: { version: 'newest', workloads: true },
    member2: { version: 'older', nodes: 0 },
  });
  await apply(
    ...[fleet.controlPlane, reach, binding('people', 'reach', { kind: 'Group', name: 'people' })],
    ...[binding('builder', 'reach', { kind: 'User', name: builder })],
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'builder', namespace: 'default' } },
  );
  // Its own account of that name may do all, so a mistaken identity would be let in.
  await apply(
    ...[fleet.members.member1, binding('builder', 'cluster-admin', { kind: 'User', name: builder })],
    binding('alice', 'view', { kind: 'User', name: 'alice' }),
  );
  token = (await fleet.controlPlane.kubectl('create', 'token', 'builder')).stdout.trim();
  expect(token.length).toBeGreaterThan(100);
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

/** What the product's kubeconfig for a user carries. */
async function certificateOf(product: Product, user: string, groups: string[]) {
  const kubeconfig = await readFile(await product.userKubeconfig(user, groups), 'utf8');
  const pem = (key: string) =>
    Buffer.from(new RegExp(`${key}: (\\S+)`).exec(kubeconfig)?.[1] ?? '', 'base64').toString();
  return { cert: pem('client-certificate-data'), key: pem('client-key-data') };
}

async function endpointFor(product: Product, as: Row['as']): Promise<RawEndpoint> {
  const { server, ca, admin } = product;
  if (as === 'nobody') return { server, ca };
  return { server, ca, ...(as === 'alice' ? await certificateOf(product, 'alice', ['people']) : admin) };
}

const filled = (bytes: string): string =>
  bytes.replaceAll('{token64}', Buffer.from(token).toString('base64url')).replaceAll('{token}', token);

function exchangeOf({ bytes }: Row) {
  if (typeof bytes === 'string') return raw(filled(bytes));
  return typeof bytes === 'function' ? raw(bytes()) : overHttp2(bytes.headers, bytes.body);
}

const reasonOf = ({ headers, body }: RawAnswer): string | undefined =>
  headers['content-type']?.startsWith('application/json') ? JSON.parse(body).reason : undefined;

const whoIs = {
  admin: { user: 'fleet:admin', groups: ['fleet:admins', 'system:authenticated'] },
  alice: { user: 'alice', groups: ['people', 'system:authenticated'] },
  nobody: { user: '', groups: [] },
};

/** A stream has a line when it begins and one when it ends, perhaps while the next row is under way. */
const counted = new Set<string>();

const fromProduct = ({ user, auditID }: AuditEntry): boolean => {
  if (user !== 'system:serviceaccount:fleet-system:fleet-impersonator' || counted.has(auditID)) return false;
  counted.add(auditID);
  return true;
};

const seenLine = ({ verb, requestURI, impersonatedUser, impersonatedGroups }: AuditEntry): string =>
  `${verb} ${requestURI} as ${impersonatedUser} of ${impersonatedGroups.join(', ')}`;

/** What came of a row, in the form of what should have. */
async function outcomeOf(product: Product, row: Row) {
  const [first, second] = await Promise.all(Object.values(fleet.members).map(watchMember));
  const answers = await exchangeOf(row)(await endpointFor(product, row.as));
  const seen = async (read: typeof first) => ((await read?.()) ?? []).filter(fromProduct).map(seenLine);
  const cut = row.orClosed && answers.length === 0;
  const shown = row.answers.map((expected, at) => {
    const answer = answers[at];
    if (!answer) return cut ? expected : 'none';
    return typeof expected === 'number' ? answer.status : [answer.status, reasonOf(answer)];
  });
  const surplus = answers.slice(row.answers.length).map(({ status }) => status);
  return { answers: [...shown, ...surplus], member1: await seen(first), member2: await seen(second) };
}

function expectedOf({ answers, member1 = [], member2 = [], as = 'admin', seenAs = whoIs[as] }: Row) {
  const line = (text: string) => `${text} as ${seenAs.user} of ${seenAs.groups.join(', ')}`;
  return { answers, member1: member1.map(line), member2: member2.map(line) };
}

/** Without the memberPath the same bytes are a request to the member itself. */
async function memberCodes({ bytes }: Row): Promise<number[]> {
  if (typeof bytes !== 'string') throw new Error('only bytes can be sent to a member');
  const { directServer, ca, admin } = fleet.members.member1;
  const answers = await raw(filled(bytes.replace(memberPath, '')))({ server: directServer, ca, ...admin });
  return answers.map(({ status }) => status);
}

describe(`${rows.length} hostile requests`, () => {
  test('have names of their own', () => {
    expect(rows.length).toBeGreaterThanOrEqual(60);
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
  });

  test.each(rows)('$name', async (row) => {
    expect(await outcomeOf(fleet.product, row)).toEqual(expectedOf(row));
    if (row.likeMember) expect(await memberCodes(row)).toEqual(row.answers.map((expected) => [expected].flat()[0]));
  });
});

describe('afterwards', () => {
  test('the product still runs, and answers', async () => {
    const ended = await Promise.race([fleet.product.ended, new Promise((resolve) => setTimeout(resolve, 10))]);
    expect(ended).toBeUndefined();
    expect((await fleet.product.api.ask('/healthz')).code).toBe(200);
    expect((await fleet.product.api.ask(`${memberPath}/version`)).code).toBe(200);
  });

  test('ERR-4: nothing unexpected is in its log', async () => {
    expect(unexpectedLines(await readFile(fleet.product.log, 'utf8'))).toEqual([]);
  });

  test('AUDIT-1: no secret is in its log', async () => {
    const log = await readFile(fleet.product.log, 'utf8');
    const { items } = await fleet.controlPlane.api.object<{ items: { data?: { token?: string } }[] }>(
      '/api/v1/namespaces/karmada-cluster/secrets',
    );
    const tokens = items.flatMap(({ data }) => (data?.token ? [Buffer.from(data.token, 'base64').toString()] : []));
    expect(tokens.length).toBeGreaterThanOrEqual(4);
    const secrets = [token, Buffer.from(token).toString('base64url'), 'PRIVATE KEY', ...tokens];
    expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
  });
});

describe('negative controls', () => {
  const failing = async (product: Product, some: readonly Row[]): Promise<string[]> => {
    const failed: string[] = [];
    for (const row of some) {
      const outcome = JSON.stringify(await outcomeOf(product, row));
      if (outcome !== JSON.stringify(expectedOf(row))) failed.push(row.name);
    }
    return failed;
  };

  test('a product that lets dots through is noticed', async () => {
    const product = await fleet.withMutant({
      file: 'server/src/target/path.ts',
      from: 'if (decoded.split(/[/\\\\]/).some(isDots)) throw',
      to: 'if (decoded === null) throw',
    });
    const dotted = rows.filter(({ name }) => name.endsWith('in the cluster proxy') || name.endsWith('in the dispatch'));
    expect(dotted.length).toBeGreaterThanOrEqual(14);
    expect(await failing(product, dotted)).toEqual(dotted.map(({ name }) => name));
  });

  test('a product that passes on who a client claims to be is noticed', async () => {
    const product = await fleet.withMutant({
      file: 'server/src/http/hop-by-hop.ts',
      from: "!name.startsWith('impersonate-')",
      to: 'true',
    });
    const claims = rows.filter(({ name }) => name.startsWith('IMP-5: system:masters alone'));
    expect(await failing(product, claims)).toEqual(claims.map(({ name }) => name));
    expect(claims).toHaveLength(1);
  });

  test('a product that lets Connection take an identity away is noticed', async () => {
    const product = await fleet.withMutant({
      file: 'server/src/gateway.ts',
      from: 'impersonated(caller, incoming.headers, ',
      to: "impersonated(caller, String(incoming.headers['connection']).includes('Imp') ? {} : incoming.headers, ",
    });
    const named = rows.filter(({ name }) => name.startsWith('IMP-4: Connection cannot'));
    expect(await failing(product, named)).toEqual(named.map(({ name }) => name));
    expect(named).toHaveLength(1);
  });
});

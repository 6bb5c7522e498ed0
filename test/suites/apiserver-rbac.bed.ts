/** Who may do what: the embedded API server and kube-apiserver decide alike, in the same words. */

import { readFile, writeFile } from 'node:fs/promises';
import { policyFile, policyModule } from '@fleet/apiserver/rbac/bootstrap-policy.build.ts';
import { type Member, startMember } from '@fleet/bed/member.ts';
import type { Mutant } from '@fleet/bed/mutant.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attempts, byImpersonators } from './apiserver-rbac/attempts.ts';
import { decisions } from './apiserver-rbac/decisions.ts';
import { comparable, normalised } from './apiserver-rbac/normalise.ts';
import { build } from './apiserver-rbac/scene.ts';
import { type Answered, type Asked, Side, startEmbedded } from './apiserver-rbac/side.ts';
import { tokenStory } from './apiserver-rbac/token-story.ts';

let member: Member;
let theirs: Side;
let ours: Side;

beforeAll(async () => {
  [member, ours] = await Promise.all([
    startMember({ name: 'rbac', nodes: 0, extraApiserverFlags: ['--enable-bootstrap-token-auth'] }),
    startEmbedded(),
  ]);
  theirs = await Side.ofMember(member);
  await Promise.all([build(theirs), build(ours)]);
}, 180_000);

afterAll(async () => {
  for (const side of [ours, theirs, member]) await side?.[Symbol.asyncDispose]();
});

const both = <T>(ask: (side: Side) => Promise<T>): Promise<[T, T]> => Promise.all([ask(theirs), ask(ours)]);

/** Some at once: decisions change nothing. */
async function answers(side: Side, asked: readonly Asked[]): Promise<Answered[]> {
  const all: Answered[] = [];
  for (let from = 0; from < asked.length; from += 20)
    all.push(...(await Promise.all(asked.slice(from, from + 20).map((one) => side.ask(one)))));
  return all;
}

const statusOf = (body: unknown): unknown => (body as { status?: unknown }).status ?? body;

test('AUTHZ-1: the bootstrap policy is what kube-apiserver makes', async () => {
  const made = await policyModule(async (path) => (await theirs.ask({ path })).body);
  if (process.env['POLICY'] === 'write') await writeFile(policyFile, made);
  expect(await readFile(policyFile, 'utf8')).toBe(made);
});

test(`AUTHZ-1: ${decisions.length} decisions are the same, with the same reasons`, async () => {
  const [expected, given] = await both((side) => answers(side, decisions));
  const results = (list: Answered[]) => list.map(({ body }, index) => [decisions[index]!.body, statusOf(body)]);
  expect(results(given)).toEqual(results(expected));
  expect(given.filter(({ body }) => (statusOf(body) as { allowed?: boolean }).allowed).length).toBeGreaterThan(50);
});

describe.each(Object.entries(attempts))('AUTHZ-1: %s', (_, list) => {
  test.each(list.map((asked) => [nameOf(asked), asked] as const))('%s', async (_name, asked) => {
    const [expected, given] = await both((side) => side.ask(asked));
    expect(comparable(given)).toEqual(comparable(expected));
  });
});

function nameOf({ method, path, body, as = {} }: Asked): string {
  const who = as.user ?? (as.token ? 'a token' : 'admin');
  const shown = body ? JSON.stringify(body).slice(0, 160) : '';
  return `${who} ${method ?? (body ? 'POST' : 'GET')} ${path} ${shown} ${as.headers ? JSON.stringify(as.headers) : ''}`;
}

test('IMP-2: who may impersonate some is refused others, in the same words', async () => {
  const answersOf = async (side: Side) => {
    const list: unknown[] = [];
    for (const { who, headers, path } of byImpersonators) {
      // Its certificate proves it, so that its own headers are read.
      const answer = await side.askAs(who, { path, as: { headers } });
      list.push([who, headers, path, answer.status === 200 ? 'served' : comparable(answer)]);
    }
    return list;
  };
  const [expected, given] = await both(answersOf);
  expect(given).toEqual(expected);
});

test('AUTHN-1: tokens count as long as what they are bound to is there', async () => {
  const [expected, given] = await both((side) => tokenStory(side));
  expect(given).toEqual(expected);
  expect(given.filter(([, result]) => JSON.stringify(result).includes('"authenticated":true')).length).toBeGreaterThan(
    3,
  );
});

describe('kubectl', () => {
  /** Ages, and the order of what is listed. */
  const shown = ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => {
    const sorted = (list: string) => list.split(' ').sort().join(' ');
    const lines = (text: string) =>
      text
        .replace(/ +/g, ' ')
        .split('\n')
        .map((line) => line.replace(/\[([a-z ]+)\]$/, (_, verbs: string) => `[${sorted(verbs)}]`))
        .sort();
    return { code, stdout: normalised(lines(stdout)), stderr: normalised(lines(stderr)) };
  };
  const reconciled = {
    apiVersion: 'v1',
    kind: 'List',
    items: [
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'reader' },
        rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }],
      },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'reconciled' },
        rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }],
      },
    ],
  };
  const commands: { args: string[]; stdin?: string }[] = [
    { args: ['auth', 'can-i', '--list', '--as=alice', '-n', 'one'] },
    { args: ['auth', 'can-i', '--list', '--as=ada', '-n', 'two'] },
    { args: ['auth', 'can-i', '--list', '--as=eve'] },
    { args: ['auth', 'can-i', 'list', 'configmaps', '--as=alice', '-n', 'one'] },
    { args: ['auth', 'can-i', 'list', 'configmaps', '--as=alice', '-n', 'two', '-v0'] },
    { args: ['auth', 'can-i', 'get', '/metrics', '--as=pat'] },
    { args: ['auth', 'can-i', 'get', 'pods', '--subresource=log', '--as=vic', '-n', 'two'] },
    { args: ['auth', 'whoami'] },
    { args: ['auth', 'whoami', '--as=alice', '--as-group=a', '--as-group=b', '-o', 'json'] },
    { args: ['auth', 'whoami', '--as=system:serviceaccount:one:robot'] },
    { args: ['create', 'token', 'robot', '-n', 'one', '--duration=20m', '--audience=x'] },
    { args: ['create', 'token', 'robot', '-n', 'one', '--duration=1m'] },
    { args: ['create', 'token', 'nobody', '-n', 'one'] },
    { args: ['auth', 'reconcile', '-f', '-', '-o', 'name'], stdin: JSON.stringify(reconciled) },
    { args: ['get', 'clusterrole', 'reader', '-o', 'jsonpath={.rules}'] },
    { args: ['get', 'secrets', '--as=alice'] },
    { args: ['create', 'clusterrolebinding', 'mine', '--clusterrole=cluster-admin', '--user=eve', '--as=eve'] },
  ];
  test.each(commands)('AUTHZ-1: $args', async ({ args, stdin }) => {
    const [expected, given] = await both((side) => side.kubectl(...args, ...(stdin ? [{ stdin }] : [])));
    expect(shown(given)).toEqual(shown(expected));
  });

  test('AUTHN-1: works with a token of create token', async () => {
    const [expected, given] = await both(async (side) => {
      const { stdout: token } = await side.kubectl('create', 'token', 'robot', '-n', 'one');
      return shown(await side.kubectlWithToken(token.trim(), 'auth', 'whoami', '-o', 'json'));
    });
    expect(given).toEqual(expected);
  });
});

describe('a server with a bug is noticed', () => {
  const mutants: Record<string, Mutant> = {
    'names in rules are not looked at': {
      file: 'apiserver/src/rbac/policy-rule.ts',
      from: 'names.length === 0 || names.includes(name)',
      to: 'true',
    },
    'a role binding counts everywhere': {
      file: 'apiserver/src/rbac/rule-resolver.ts',
      from: 'const local = namespace && this.#inNamespace.get(namespace);',
      to: "const local = this.#inNamespace.get('one');",
    },
    'anybody gives anything': {
      file: 'apiserver/src/rbac/escalation.ts',
      from: 'if (missing.length === 0) return undefined;',
      to: 'return undefined;',
    },
    'a token outlives what it is bound to': {
      file: 'apiserver/src/tokens/account-tokens.ts',
      from: 'await refuseIfGone(bound, lookup);',
      to: '',
    },
    'groups are not looked at': {
      file: 'apiserver/src/rbac/binding-index.ts',
      from: '...groups.map((group) => ',
      to: '...[].map((group) => ',
    },
  };

  const seen = async (side: Side) => ({
    decisions: (await answers(side, decisions)).map(({ body }) => statusOf(body)),
    escalations: await attempts.escalations.reduce<Promise<unknown[]>>(
      async (before, asked) => [...(await before), (await side.ask(asked)).status],
      Promise.resolve([]),
    ),
    // What never comes to its end is a result, too.
    tokens: await tokenStory(side, 5_000).catch(String),
  });

  let sound: Awaited<ReturnType<typeof seen>>;
  beforeAll(async () => {
    await using side = await startEmbedded();
    await build(side);
    sound = await seen(side);
  }, 60_000);

  test.each(Object.entries(mutants))('%s', { timeout: 60_000 }, async (_, mutant) => {
    await using side = await startEmbedded(mutant);
    await build(side);
    expect(await seen(side)).not.toEqual(sound);
  });
});

/** The proposal of a cluster proxy that knows all members: its commands and its three test cases, through the proxy to any member. */

import { readFile, writeFile } from 'node:fs/promises';
import type { AuditEntry } from '@fleet/bed/audit-entry.ts';
import { isCached } from '@fleet/bed/cached/everything.ts';
import type { Product } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fleet, memberProxy, startFleet } from './fleet.ts';
import { apply, binding, reach, role } from './rbac.ts';
import { watchMember } from './seen.ts';

type Name = 'member1' | 'member2';
const names = ['member1', 'member2'] as const;
let fleet: Fleet<Name>;
/** Pods of kube-system, one in each member, whose names only that member has. */
const own: Record<Name, string> = { member1: '', member2: '' };

const user = (name: string) => ({ kind: 'User', name }) as const;
const executor = role('executor', { apiGroups: [''], resources: ['pods/exec'], verbs: ['get', 'create'] });

/** alice: all that the commands need in member1, nothing in member2. bob: reads in member2. dave: both. eve: nothing. */
beforeAll(async () => {
  fleet = await startFleet({
    member1: { version: 'newest', workloads: true },
    member2: { version: 'older', workloads: true },
  });
  const { controlPlane, members } = fleet;
  await apply(controlPlane, reach, binding('people', 'reach', { kind: 'Group', name: 'people' }));
  const may = (who: string) => [binding(who, 'view', user(who)), binding(`${who}-exec`, 'executor', user(who))];
  await apply(members.member1, executor, ...may('alice'), ...may('dave'));
  await apply(members.member2, executor, binding('bob', 'view', user('bob')), ...may('dave'));
  for (const name of names) {
    const pods = await members[name].kubectl(
      ...['get', 'pods', '-n', 'kube-system', '-l', 'app=dns', '-o', 'jsonpath={.items[0].metadata.name}'],
    );
    own[name] = pods.stdout;
  }
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

/** The document's first step: the URL is appended to the server in the kubeconfig. */
async function starKubeconfig(who: string, product: Product = fleet.product): Promise<string> {
  const path = await product.userKubeconfig(who, ['people']);
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace(/server: (\S+)/, `server: $1${memberProxy('*')}`));
  return path;
}

type Seen = Record<Name, string[]>;

/** Runs a command as the document writes it, and returns what members saw of pods meanwhile, as whom. */
async function run(who: string, command: string, product: Product = fleet.product) {
  const kubeconfig = await starKubeconfig(who, product);
  const watching = await Promise.all(names.map((name) => watchMember(fleet.members[name])));
  const [program, ...args] = command.split(' ');
  expect(program).toBe('kubectl');
  const result = await product.kubectl(...args, { kubeconfig });
  const seen = await Promise.all(
    watching.map(async (entries) =>
      once(await entries())
        .filter(isAbout(who))
        .map(line)
        .filter(isWitness),
    ),
  );
  return { ...result, seen: Object.fromEntries(names.map((name, at) => [name, seen[at]!])) as Seen };
}

/** A stream has a line when it begins and another when it ends. */
const once = (entries: readonly AuditEntry[]): AuditEntry[] => [
  ...new Map(entries.map((entry) => [entry.auditID, entry])).values(),
];

const isAbout =
  (who: string) =>
  ({ impersonatedUser, objectRef }: AuditEntry): boolean =>
    impersonatedUser === who && objectRef?.resource === 'pods';

const line = ({ verb, objectRef, code }: AuditEntry): string =>
  [verb, [objectRef?.name, objectRef?.subresource].filter(Boolean).join('/'), code].filter(Boolean).join(' ');

/** Whether a member that allows a list is asked for it, or its cache, is not defined (CACHE-7). It refuses one itself. */
const isWitness = (seen: string): boolean => !isCached || seen !== 'list 200';

/** The columns of a printed table. */
function columns(stdout: string, ...headers: string[]): string[][] {
  const [first = '', ...rows] = stdout.trimEnd().split('\n');
  const at = headers.map((header) => first.split(/\s{2,}/).indexOf(header));
  return rows.map((row) => at.map((index) => row.split(/\s{2,}/)[index] ?? ''));
}

/** What the members themselves print, with the cluster behind. */
async function direct(...from: Name[]): Promise<string[][]> {
  const lists = from.map(async (name) => {
    const { stdout } = await fleet.members[name].kubectl('get', 'pods', '-A');
    return columns(stdout, 'NAMESPACE', 'NAME').map((row) => [...row, name]);
  });
  return (await Promise.all(lists)).flat();
}

describe('1. list resources from multiple clusters, there are different RBAC privileges in different clusters', () => {
  const [yes, no] = [['list 200'].filter(isWitness), ['list 403']];

  test.each([
    ['alice', ['member1'], { member1: yes, member2: no }],
    ['bob', ['member2'], { member1: no, member2: yes }],
    ['dave', ['member1', 'member2'], { member1: yes, member2: yes }],
  ] as const)(
    'LIST-3 LIST-6: `kubectl get pods -A` as %s shows %j, with the column CLUSTER',
    async (who, from, witness) => {
      const { code, stdout, stderr, seen } = await run(who, 'kubectl get pods -A');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout.split('\n')[0]?.split(/\s+/).at(-1)).toBe('CLUSTER');
      expect(columns(stdout, 'NAMESPACE', 'NAME', 'CLUSTER')).toEqual(await direct(...from));
      expect(seen).toEqual(witness);
    },
  );

  test('LIST-6: objects have their plain names and name their cluster in an annotation', async () => {
    const listed = await run('dave', 'kubectl get pods -o json');
    const items = (JSON.parse(listed.stdout) as { items: { metadata: Annotated }[] }).items.map(({ metadata }) => [
      metadata.name,
      metadata.annotations?.['cluster.karmada.io/name'],
    ]);
    expect(items.filter(([name]) => name === 'x')).toEqual([
      ['x', 'member1'],
      ['x', 'member2'],
    ]);
    expect(items.every(([, cluster]) => cluster !== undefined)).toBe(true);
  });

  test('ERR-3: who is allowed it by no member gets "not found"', async () => {
    const { code, stdout, stderr, seen } = await run('eve', 'kubectl get pods -A');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('(NotFound)');
    expect(seen).toEqual({ member1: ['list 403'], member2: ['list 403'] });
  });
});

interface Annotated {
  name: string;
  annotations?: Record<string, string>;
}

/** The document's commands, and what of their output shows whose answer it is. */
const commands = [
  {
    command: 'kubectl get pod POD -nkube-system',
    shows: (pod: string) => new RegExp(`^NAME .*\\n${pod} +1/1 +Running`),
  },
  { command: 'kubectl describe pod POD -nkube-system', shows: (pod: string) => new RegExp(`^Name: +${pod}\\n`) },
  { command: 'kubectl logs POD -nkube-system', shows: () => /^dns line \d+\n/ },
  { command: 'kubectl exec POD -nkube-system -- ls', shows: () => /^/ },
];

const of = (command: string, pod: string): string => command.replace('POD', pod);
const streams = (lines: readonly string[]): string[] => lines.filter((one) => /\/(exec|log) /.test(one));

describe('2. get/describe/exec/logs, there are different RBAC privileges in different clusters', () => {
  test.each(commands)(
    'LIST-7: `$command` as alice is answered by member1, which has it',
    async ({ command, shows }) => {
      const { code, stdout, stderr, seen } = await run('alice', of(command, own.member1));
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(shows(own.member1));
      expect(new Set(seen.member1.map((one) => one.split(' ')[1]?.split('/')[0]))).toEqual(new Set([own.member1]));
      // The other member was asked, as alice, and refused; no stream went there.
      expect(new Set(seen.member2)).toEqual(new Set([`get ${own.member1} 403`]));
      const isStream = /logs|exec/.test(command);
      expect(streams(seen.member1)).toHaveLength(isStream ? 1 : 0);
    },
  );

  test('exec runs in the pod of that member', async () => {
    const { stdout } = await run('dave', `kubectl exec ${own.member2} -nkube-system -- printenv FLEET_BED_MEMBER`);
    expect(stdout).toBe('member2\n');
  });

  test.each(commands)(
    'ERR-3: `$command` of a member where alice has no privilege is not found',
    async ({ command }) => {
      const { code, stdout, stderr, seen } = await run('alice', of(command, own.member2));
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(`rror from server (NotFound): pods "${own.member2}" not found`);
      // In the words of what nobody has.
      const missing = await run('alice', of(command, 'nope'));
      expect(stderr.replaceAll(own.member2, 'nope')).toBe(missing.stderr);
      expect([...streams(seen.member1), ...streams(seen.member2)]).toEqual([]);
    },
  );

  test('AUTHZ-3: bob, who may read in member2, reads and does not exec', async () => {
    expect((await run('bob', of(commands[0]!.command, own.member2))).code).toBe(0);
    expect((await run('bob', of(commands[2]!.command, own.member2))).code).toBe(0);
    const { code, stderr, seen } = await run('bob', of(commands[3]!.command, own.member2));
    expect(code).toBe(1);
    expect(stderr).toContain('User "bob" cannot create resource "pods/exec"');
    expect(streams(seen.member1)).toEqual([]);
  });
});

describe('3. get/describe/exec/logs with impersonated user, there are same name exists in multiple clusters', () => {
  const both = '"x.clusterspace.member1", "x.clusterspace.member2"';

  test.each(commands)('LIST-7: `$command`, the same name: a conflict whose message names each', async ({ command }) => {
    const { code, stdout, stderr, seen } = await run('dave', of(command, 'x').replace('-nkube-system', '-ndefault'));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(`Error from server (Conflict): pods "x" is in several clusters: use ${both}\n`);
    // The cache has both, where there is one (CACHE-8).
    const looks = isCached ? [] : ['get x 200'];
    expect(seen).toEqual({ member1: looks, member2: looks });
  });

  test.each(names)(
    'NAME-1: by the name in that message, `kubectl exec x.clusterspace.%s` is that member’s',
    async (name) => {
      const { stdout, seen } = await run('dave', `kubectl exec x.clusterspace.${name} -- printenv FLEET_BED_MEMBER`);
      expect(stdout).toBe(`${name}\n`);
      expect(seen[name === 'member1' ? 'member2' : 'member1']).toEqual([]);
    },
  );

  test.each(commands)('`$command`: for alice, who sees one of them, there is no conflict', async ({ command }) => {
    const { code, stderr } = await run('alice', of(command, 'x').replace('-nkube-system', '-ndefault'));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('IMP-2: as an impersonated user it is the same', async () => {
    const as = ['--as', 'alice', '--as-group', 'people'];
    const at = memberProxy('*');
    const alice = await fleet.product.kubectl('exec', 'x', ...as, '--', 'printenv', 'FLEET_BED_MEMBER', { at });
    expect(alice).toEqual({ code: 0, stdout: 'member1\n', stderr: '' });
    const admin = await fleet.product.kubectl('get', 'pod', 'x', { at });
    expect(admin.stderr).toContain('(Conflict)');
  });
});

describe('negative controls', () => {
  test('a product that takes the first of several is noticed', async () => {
    await using product = await fleet.withMutant({
      file: 'server/src/find/find.ts',
      from: 'if (having.length > 1) throw several(ask, having);',
      to: '',
    });
    const { code, seen } = await run('dave', 'kubectl exec x -ndefault -- ls', product);
    expect({ code, streams: streams(seen.member1).length }).toEqual({ code: 0, streams: 1 });
  });

  test('one that does not hide refusals is noticed', async () => {
    await using product = await fleet.withMutant({
      file: 'server/src/merge/merge.ts',
      from: 'error.code === 403 ? noSuchResource() : error',
      to: 'error.code === 999 ? noSuchResource() : error',
    });
    expect((await run('eve', 'kubectl get pods -A', product)).stderr).toContain('(Forbidden)');
  });

  test('one that looks with its own permissions instead of the user’s is noticed by the audit logs', async () => {
    await using product = await fleet.withMutant({
      file: 'server/src/find/find.ts',
      from: 'headers: { ...identity, accept',
      to: 'headers: { accept',
    });
    const { seen } = await run('alice', of(commands[0]!.command, own.member1), product);
    expect(seen.member2).toEqual([]);
  });
});

describe('LIST-7: while member2 is silent', () => {
  beforeAll(() => fleet.members.member2.faults.freeze());
  afterAll(() => fleet.members.member2.faults.thaw());
  const dave = async (...args: string[]) =>
    fleet.product.kubectl(...args, { kubeconfig: await starKubeconfig('dave') });

  test('a read that member1 can answer is answered, with a warning', async () => {
    const read = () => dave('get', 'pod', own.member1, '-nkube-system');
    // The cache is fresh until a probe of the member has failed (CACHE-7).
    if (isCached) await until('member2 is noticed', async () => (await read()).stderr !== '', { timeout: 45_000 });
    const { code, stdout, stderr } = await read();
    const why = isCached ? expect.stringMatching(/^it .+\n$/) : 'it did not answer\n';
    const [warning, reason] = stderr.split(/(?<=was not looked in: )/);
    expect({ code, warning, reason }).toEqual({
      code: 0,
      warning: 'Warning: cluster "member2" was not looked in: ',
      reason: why,
    });
    expect(stdout).toContain(own.member1);
  });

  test('what is not found may be there: 503 that names it', async () => {
    const { code, stderr } = await dave('get', 'pod', own.member2, '-nkube-system');
    if (isCached) {
      // A Table shows the last known object (CACHE-12).
      expect(code).toBe(0);
      expect(stderr).toMatch(/^Warning: cluster "member2" cannot be reached: its objects are those of /);
      return;
    }
    expect(code).toBe(1);
    expect(stderr).toContain(`(ServiceUnavailable): pods "${own.member2}" may be in "member2", which did not answer`);
  });

  test('exec goes nowhere until the cluster is named', async () => {
    const refused = await dave('exec', own.member1, '-nkube-system', '--', 'printenv', 'FLEET_BED_MEMBER');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`name the cluster, as in "${own.member1}.clusterspace.{cluster}"`);
    const named = `${own.member1}.clusterspace.member1`;
    const done = await dave('exec', named, '-nkube-system', '--', 'printenv', 'FLEET_BED_MEMBER');
    expect(done).toEqual({ code: 0, stdout: 'member1\n', stderr: '' });
  });
});

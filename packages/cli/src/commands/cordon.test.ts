import { beforeEach, describe, expect, test } from 'vitest';
import { type Cluster, clustersPath } from '../cluster.ts';
import type { Manifest } from '../join/manifest.ts';
import { createProgram } from '../program.ts';
import { FakeCluster } from '../testing/fake-cluster.ts';
import { type FakeFleet, startFakeFleet, startFakeFleetOver } from '../testing/fake-fleet.ts';

type Taints = NonNullable<Cluster['spec']['taints']>;

const path = `${clustersPath}/member1`;
const patched = `PATCH ${path}`;
const cordon = { key: 'cluster.karmada.io/unschedulable', effect: 'NoSchedule' };
const notReady = { key: 'cluster.karmada.io/not-ready', effect: 'NoSchedule', timeAdded: '2026-01-02T03:04:05Z' };
const maintenance = { key: 'maintenance', value: 'tonight', effect: 'NoExecute' };

let controlPlane: FakeCluster;
let run: FakeFleet['run'];

beforeEach(async () => {
  controlPlane = new FakeCluster('uid-of-fleet');
  ({ run } = await startFakeFleetOver(controlPlane));
});

function store(taints: Taints | undefined, resourceVersion = '7'): void {
  const spec = { syncMode: 'Push', region: 'eu-west-1', ...(taints ? { taints } : {}) };
  controlPlane.objects.set(path, { metadata: { name: 'member1', resourceVersion }, spec } as unknown as Manifest);
}

const stored = () => controlPlane.objects.get(path) as unknown as Cluster;

/** Acts before the server handles the next patches, once for each. */
function beforePatches(...acts: (() => void)[]): void {
  controlPlane.silent = (request) => {
    if (request === patched) acts.shift()?.();
    return false;
  };
}

const patches = () => controlPlane.writes.filter((write) => write === patched).length;

describe('FED-4: fleet cordon', () => {
  test.each([{}, { taints: [] }, { taints: [notReady, maintenance] }])(
    'adds the taint to %j, with its time',
    async ({ taints }) => {
      store(taints);
      const before = Math.floor(Date.now() / 1000) * 1000;
      const { stdout, stderr } = await run('cordon', 'member1');
      const added = stored().spec.taints!.at(-1)!;
      expect(stored().spec).toEqual({
        syncMode: 'Push',
        region: 'eu-west-1',
        taints: [...(taints ?? []), { ...cordon, timeAdded: added.timeAdded }],
      });
      expect(added.timeAdded).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(Date.parse(added.timeAdded!)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(added.timeAdded!)).toBeLessThanOrEqual(Date.now());
      expect(stdout).toBe('');
      expect(stderr).toBe('member1 is cordoned: federation schedules nothing new there. What runs there stays.\n');
    },
  );

  test('of one that is cordoned changes nothing, whatever the value of the taint', async () => {
    for (const taint of [cordon, { ...cordon, value: 'x' }]) {
      store([notReady, taint]);
      expect((await run('cordon', 'member1')).stderr).toContain('member1 is already cordoned: ');
    }
    expect(controlPlane.writes).toEqual([]);
  });

  test('another taint of that key, or of that effect, is none', async () => {
    const others = [{ ...cordon, effect: 'NoExecute' }, notReady];
    store(others);
    await run('cordon', 'member1');
    expect(stored().spec.taints).toMatchObject([...others, cordon]);
  });
});

describe('FED-4: fleet uncordon', () => {
  test('removes that taint alone', async () => {
    const others = [{ ...cordon, effect: 'NoExecute' }, notReady, maintenance];
    store([others[0]!, cordon, ...others.slice(1)]);
    const { stdout, stderr } = await run('uncordon', 'member1');
    expect(stored().spec.taints).toEqual(others);
    expect(stdout).toBe('');
    expect(stderr).toBe('member1 is uncordoned: federation can schedule there again.\n');
  });

  test('takes back what cordon did', async () => {
    store([maintenance]);
    await run('cordon', 'member1');
    await run('uncordon', 'member1');
    expect(stored().spec.taints).toEqual([maintenance]);
  });

  test.each([{}, { taints: [] }, { taints: [notReady] }])('of %j changes nothing', async ({ taints }) => {
    store(taints);
    expect((await run('uncordon', 'member1')).stderr).toContain('member1 is already uncordoned: ');
    expect(controlPlane.writes).toEqual([]);
  });
});

describe.each([
  ['cordon', [maintenance], [maintenance, notReady, cordon]],
  ['uncordon', [maintenance, cordon], [maintenance, notReady]],
] as const)('fleet %s', (command, before, after) => {
  test('beside another writer: looks again, and loses nothing of theirs', async () => {
    store([...before]);
    beforePatches(() => store([maintenance, notReady, ...before.slice(1)], '8'));
    await run(command, 'member1');
    expect(stored().spec.taints).toMatchObject(after);
    expect(stored().spec.taints).toHaveLength(after.length);
    expect(patches()).toBe(2);
  });

  test('where another was faster with the same: changes nothing more', async () => {
    store([...before]);
    beforePatches(() => store([...after], '8'));
    expect((await run(command, 'member1')).stderr).toContain(`already ${command}ed`);
    expect(stored().spec.taints).toEqual(after);
  });

  test('where others never stop writing: fails after five attempts', async () => {
    store([...before]);
    beforePatches(...[8, 9, 10, 11, 12, 13].map((version) => () => store([...before], `${version}`)));
    await expect(run(command, 'member1')).rejects.toThrow('the object has been modified');
    expect(patches()).toBe(5);
  });

  test('of a cluster that is removed meanwhile', async () => {
    store([...before]);
    beforePatches(() => void controlPlane.objects.delete(path));
    await expect(run(command, 'member1')).rejects.toThrow('there is no cluster "member1"');
  });

  test.each(['rohan', 'all', 'karmada', 'a/b', ''])('of %j: there is none', async (name) => {
    await expect(run(command, name)).rejects.toMatchObject({
      message: `there is no cluster "${name}"`,
      hint: 'See "fleet get clusters"',
    });
    expect(controlPlane.writes).toEqual([]);
  });

  test('by a user who is not allowed to: reports that, and does not try again', async () => {
    const methods: string[] = [];
    const fleet = await startFakeFleet(({ method }, response) => {
      methods.push(method!);
      if (method === 'GET') response.end(JSON.stringify({ metadata: { name: 'member1' }, spec: { taints: before } }));
      else response.writeHead(403).end(JSON.stringify({ kind: 'Status', code: 403, message: 'clusters is forbidden' }));
    });
    await expect(fleet.run(command, 'member1')).rejects.toThrow('clusters is forbidden');
    expect(methods).toEqual(['GET', 'PATCH']);
  });

  test('has help with an example', () => {
    const help: string[] = [];
    const one = createProgram().commands.find((sub) => sub.name() === command)!;
    one.configureOutput({ writeOut: (text) => help.push(text) }).outputHelp();
    expect(help.join('')).toContain(`$ fleet ${command} member1`);
  });
});

import { federationLeasePath } from '@fleet/server/federation-leftovers.ts';
import { disabledSwitch, switchPath } from '@fleet/server/federation-off.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { clustersPath } from '../cluster.ts';
import type { Manifest } from '../join/manifest.ts';
import { FakeCluster } from '../testing/fake-cluster.ts';
import { type FakeFleet, startFakeFleetOver } from '../testing/fake-fleet.ts';

const cluster = `${clustersPath}/member1`;

let controlPlane: FakeCluster;
let run: FakeFleet['run'];

beforeEach(async () => {
  controlPlane = new FakeCluster('uid-of-fleet');
  ({ run } = await startFakeFleetOver(controlPlane));
});

const store = (path: string, object: object) => controlPlane.objects.set(path, object as Manifest);
const lead = (renewTime: Date) =>
  store(federationLeasePath, {
    metadata: { name: 'fleet-federation' },
    spec: { holderIdentity: 'a', renewTime: renewTime.toISOString() },
  });
const hold = () => store(cluster, { metadata: { name: 'member1', finalizers: ['karmada.io/cluster-controller'] } });
const disable = (...flags: string[]) => run('federation', 'disable', ...flags);

describe('FED-38: fleet federation disable', () => {
  test('where it has never been on there is nothing to do', async () => {
    expect((await disable()).stderr).toBe(
      'Nothing of the federation is left. Start the server without --federation.\n',
    );
    expect(controlPlane.writes).toEqual([]);
  });

  test.each([undefined, new Date(0)])('a server has to do the work (last seen %s)', async (seen) => {
    hold();
    if (seen) lead(seen);
    await expect(disable()).rejects.toThrow('no server runs with --federation');
    expect(controlPlane.writes).toEqual([]);
  });

  test.each(['0', 'soon'])('--timeout %s is no time', async (timeout) => {
    await expect(disable('--timeout', timeout)).rejects.toThrow(
      `--timeout takes a number of seconds, not "${timeout}"`,
    );
  });

  test('what is left is shown, and the command can be repeated', async () => {
    hold();
    lead(new Date());
    await expect(disable('--timeout', '0.5')).rejects.toThrow('this is left: clusters member1');
    expect(controlPlane.objects.get(switchPath)).toMatchObject({ data: { state: 'disabled', workloads: 'keep' } });
    const { writes } = controlPlane;
    await expect(disable('--timeout', '0.5')).rejects.toThrow('this is left: clusters member1');
    expect(controlPlane.writes).toEqual(writes);
    store(cluster, { metadata: { name: 'member1' } });
    store(switchPath, { ...disabledSwitch('keep'), data: { state: 'disabled', workloads: 'keep', done: 'true' } });
    expect((await disable()).stderr).toContain('Nothing of the federation is left');
  });

  test('--delete-workloads, after it was to keep them', async () => {
    hold();
    lead(new Date());
    store(switchPath, { ...disabledSwitch('keep'), data: { state: 'disabled', workloads: 'keep', done: 'true' } });
    await expect(disable('--delete-workloads', '--timeout', '0.5')).rejects.toThrow('this is left');
    expect(controlPlane.objects.get(switchPath)!.data).toEqual({ state: 'disabled', workloads: 'delete' });
  });

  test('kinds that could not be released are named while they are waited for, and when all else is done', async () => {
    lead(new Date());
    const data = { state: 'disabled', workloads: 'keep', unreleased: 'widgets.example.com (503: away)' };
    store(switchPath, { ...disabledSwitch('keep'), data });
    await expect(disable('--timeout', '0.5')).rejects.toThrow(
      'claims of templates may be left of widgets.example.com (503: away)',
    );
    store(switchPath, { ...disabledSwitch('keep'), data: { ...data, done: 'true' } });
    expect((await disable()).stderr).toContain(
      'Not looked at, templates may have claims left: widgets.example.com (503: away).\n',
    );
  });

  test('enable takes the switch away', async () => {
    expect((await run('federation', 'enable')).stderr).toBe('Federation is not turned off: nothing has changed.\n');
    store(switchPath, disabledSwitch('keep'));
    expect((await run('federation', 'enable')).stderr).toContain('Federation is on again');
    expect(controlPlane.objects.has(switchPath)).toBe(false);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AnyObject } from './api/objects.ts';
import { namespacesPath, objectPath, worksPath } from './api/paths.ts';
import type { Work } from './api/works.ts';
import {
  appeared,
  at,
  configMapNamed,
  configMaps,
  type FakeFederation,
  fakeFederation,
  isGone,
  namespaceNamed,
  settled,
} from './testing/fake-federation.ts';

let fleet: FakeFederation;
beforeEach(async () => {
  fleet = await fakeFederation('shop');
  await appeared(fleet.member.client, `${namespacesPath}/shop`);
});
afterEach(() => fleet[Symbol.asyncDispose]());

const mine = `${configMaps('shop')}/mine`;
const marksOf = (id: string, namespace: string, name: string) => ({
  labels: { 'karmada.io/managed': 'true', 'work.karmada.io/permanent-id': id },
  annotations: { 'work.karmada.io/namespace': namespace, 'work.karmada.io/name': name },
});
const inMember = async (metadata: object) =>
  void (await fleet.member.client.create(configMaps('shop'), configMapNamed('mine', metadata, 'there')));
const dataInMember = async () => (await at(fleet.member.client, mine))?.['data'];

/** The one Work of a name, once its manifest has been applied or refused. */
const applied = (name: string) =>
  vi.waitFor(async () => {
    const [{ metadata } = { metadata: { name: '' } }] = await fleet.worksOf(name);
    const work = await at<Work>(fleet.controlPlane.client, objectPath(worksPath, { metadata }));
    const condition = work?.status?.conditions?.find(({ type }) => type === 'Applied');
    expect(condition).toBeDefined();
    return condition!;
  }, settled);

describe('an object that a member has already', () => {
  it('FED-8, FED-9: of another federation is left alone with Abort, and not deleted with the template', async () => {
    await inMember(marksOf('another', 'karmada-es-other', 'mine-4'));
    await fleet.configMap('shop', 'mine');
    await fleet.propagate('shop', { conflictResolution: 'Abort' });
    const { status, message } = await applied('mine');
    expect(status).toBe('False');
    expect(message).toContain('managed by another federation, by the Work karmada-es-other/mine-4');
    expect(await dataInMember()).toEqual({ of: 'there' });
    await fleet.controlPlane.client.delete(mine);
    await vi.waitFor(async () => expect(await fleet.worksOf('mine')).toEqual([]), settled);
    expect(await dataInMember()).toEqual({ of: 'there' });
  });

  it('FED-8: of another federation is taken over with Overwrite', async () => {
    await inMember(marksOf('another', 'karmada-es-other', 'mine-4'));
    await fleet.configMap('shop', 'mine');
    await fleet.propagate('shop', { conflictResolution: 'Overwrite' });
    await vi.waitFor(async () => expect(await dataInMember()).toEqual({ of: 'here' }), settled);
  });

  it('FED-8: of the Karmada that the federation takes over from is taken over, as it was in the same cluster', async () => {
    await inMember(marksOf('another', 'karmada-es-m1', 'mine-4'));
    await fleet.configMap('shop', 'mine');
    await fleet.propagate('shop', { conflictResolution: 'Abort' });
    await vi.waitFor(async () => expect(await dataInMember()).toEqual({ of: 'here' }), settled);
  });

  it('FED-8: whose marks somebody has changed in the member is still ours', async () => {
    await fleet.configMap('shop', 'mine');
    await fleet.propagate('shop', { conflictResolution: 'Abort' });
    await appeared(fleet.member.client, mine);
    const annotations = { 'work.karmada.io/namespace': 'karmada-es-other' };
    await fleet.member.client.patch(mine, 'merge', { metadata: { annotations }, data: { of: 'there' } });
    await vi.waitFor(async () => expect(await dataInMember()).toEqual({ of: 'here' }), settled);
  });
});

describe('a namespace that a member has already', () => {
  it.each([
    ['of its own', {}],
    ['of another federation', marksOf('another', 'karmada-es-other', 'monitoring-4')],
  ])(
    'FED-10, FED-9: %s is not deleted with the template, whatever that is annotated with',
    async (_whose, metadata) => {
      const path = `${namespacesPath}/monitoring`;
      const { member, controlPlane } = fleet;
      const existing = { ...namespaceNamed('monitoring'), metadata: { name: 'monitoring', ...metadata } };
      await member.client.create(namespacesPath, existing);
      const overwrite = { 'work.karmada.io/conflict-resolution': 'overwrite' };
      await controlPlane.client.create(namespacesPath, namespaceNamed('monitoring', overwrite));
      expect((await applied('monitoring')).status).toBe('True');
      const [work] = await fleet.worksOf('monitoring');
      await controlPlane.client.delete(path);
      await isGone(controlPlane.client, objectPath(worksPath, work!));
      const { metadata: left } = await member.client.get<AnyObject>(path);
      expect(left).toMatchObject(existing.metadata);
      expect(left.annotations?.['resourcetemplate.karmada.io/uid']).toBeUndefined();
    },
  );
});

/** A request over simulated clusters needs the permission of the control plane and that of the member. */

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SimulatedFleet } from './src/fleet.ts';
import { grant, reach, revoke } from './src/granting.ts';
import { apiOf, readers, settingsSeenBy, startScene } from './src/permissions-scene.ts';
import { requestAs } from './src/request.ts';

let fleet: SimulatedFleet;
beforeAll(async () => {
  fleet = await startScene();
});
afterAll(() => fleet[Symbol.asyncDispose]());

describe('a request needs two permissions', () => {
  it('AUTHZ-2: a list has the clusters that the control plane lets the user reach', async () => {
    expect(await settingsSeenBy(fleet, 'alice')).toEqual(['settings.clusterspace.member1']);
  });

  it('AUTHZ-2: who may reach none, or names another, is refused', async () => {
    await expect(settingsSeenBy(fleet, 'bob')).rejects.toMatchObject({ code: 403 });
    const other = { namespace: 'default', name: 'settings.clusterspace.member2' };
    await expect((await apiOf(fleet, 'alice')).readNamespacedConfigMap(other)).rejects.toMatchObject({ code: 403 });
  });

  it('AUTHZ-3: the member decides, and sees the user', async () => {
    const secret = { namespace: 'default', name: 'x.clusterspace.member1' };
    await expect((await apiOf(fleet, 'alice')).readNamespacedSecret(secret)).rejects.toMatchObject({
      code: 403,
      body: expect.stringContaining('User \\"alice\\" cannot get resource \\"secrets\\"'),
    });
  });

  it('AUTHZ-2: what was revoked in the control plane is refused, once decisions are no longer kept', async () => {
    await grant(fleet.controlPlane, 'carol-member1', 'carol', [reach('member1')]);
    for (const { client } of fleet.members.values()) await grant(client, 'carol', 'carol', [readers]);
    expect(await settingsSeenBy(fleet, 'carol')).toEqual(['settings.clusterspace.member1']);
    await revoke(fleet.controlPlane, 'carol-member1');
    const refused = () => expect(settingsSeenBy(fleet, 'carol')).rejects.toMatchObject({ code: 403 });
    await vi.waitFor(refused, { timeout: 30_000, interval: 500 });
  });

  it('IMP-2: who may not impersonate is refused', async () => {
    const answer = await requestAs(await fleet.config({ name: 'alice' }), '/api/v1/namespaces', {
      'impersonate-user': 'fleet:admin',
    });
    expect(answer).toMatchObject({ status: 403, body: { reason: 'Forbidden' } });
  });
});

import { StatusError } from '@fleet/kube/status.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inNamespace, propagationPoliciesPath } from './api/paths.ts';
import {
  appeared,
  at,
  configMaps,
  type FakeFederation,
  fakeFederation,
  isGone,
  settled,
} from './testing/fake-federation.ts';
import { servedKinds } from './testing/fake-pipeline.ts';

let fleet: FakeFederation;
beforeEach(async () => {
  fleet = await fakeFederation('shop');
  await fleet.configMap('shop', 'mine');
  await fleet.propagate('shop');
  await appeared(fleet.member.client, mine);
});
afterEach(() => fleet[Symbol.asyncDispose]());

const mine = `${configMaps('shop')}/mine`;
const others = servedKinds.filter(({ kind }) => kind !== 'ConfigMap');

describe('a kind that the control plane serves no more', () => {
  it('FED-9: what a member had of it, which could not be reached meanwhile, goes with the template', async () => {
    const { controlPlane, member } = fleet;
    member.onRequest = () => {
      throw new StatusError(503, 'ServiceUnavailable', 'the member cannot be reached');
    };
    await controlPlane.client.delete(mine);
    await vi.waitFor(async () => {
      const works = await fleet.worksOf('mine');
      expect(works.map(({ metadata }) => metadata.deletionTimestamp !== undefined)).toEqual([true]);
    }, settled);
    fleet.serve(others);
    member.onRequest = undefined;
    await vi.waitFor(async () => expect(await fleet.worksOf('mine')).toEqual([]), settled);
    expect(await at(member.client, mine)).toBeUndefined();
  });

  it.each([
    ['first without patch, as while its CustomResourceDefinition is being deleted', true],
    ['at once, before its objects are seen to be gone', false],
  ])('FED-9: %s: a policy that had claimed something of it can be deleted', async (_how, isTerminating) => {
    const { controlPlane } = fleet;
    const verbs = ['delete', 'deletecollection', 'get', 'list', 'watch'];
    const terminating = servedKinds.map((one) => (one.kind === 'ConfigMap' ? { ...one, verbs } : one));
    fleet.serve(isTerminating ? terminating : others);
    await controlPlane.client.delete(mine);
    fleet.serve(others);
    const policy = `${inNamespace(propagationPoliciesPath, 'shop')}/p`;
    await controlPlane.client.delete(policy);
    await isGone(controlPlane.client, policy);
  });
});

import { describe, expect, it } from 'vitest';
import type { User } from '../authn/user.ts';
import { targetOf, templateTargetOf } from '../testing/targets.ts';
import { createAuthorizer } from './authorize.ts';

const alice: User = { name: 'alice', uid: undefined, groups: [], extra: {}, origin: 'other' };
const pods = '/api/v1/namespaces/d/pods';

function authorizer(...grants: string[]) {
  const asked: string[] = [];
  const { authorize } = createAuthorizer(
    {
      async isAllowed(_, attributes) {
        const question = 'resource' in attributes ? `${attributes.resource.verb} ${attributes.resource.name}` : '';
        asked.push(question);
        return grants.includes(question);
      },
    },
    () => ['alpha', 'tokyo'],
  );
  return { asked, authorize };
}

describe('AUTHZ-2: with federation on, the control plane is a place of the merged views', () => {
  it('in the order of names, and without a right: it decides for itself', async () => {
    const { authorize, asked } = authorizer('list *');
    const { place } = await authorize(alice, templateTargetOf('GET', pods));
    expect(place).toMatchObject({ at: 'many', clusters: ['alpha', 'karmada', 'tokyo'] });
    expect(asked).toEqual(['list *']);
  });

  it('is all that is left to who may reach no member', async () => {
    const { authorize } = authorizer();
    const { place } = await authorize(alice, templateTargetOf('GET', pods));
    expect(place).toMatchObject({ clusters: ['karmada'] });
    await expect(authorize(alice, targetOf('GET', pods))).rejects.toMatchObject({ code: 403 });
  });

  it('can be chosen and left out by the label', async () => {
    const { authorize, asked } = authorizer('list *');
    const clustersAt = async (selector: string) => {
      const granted = await authorize(alice, templateTargetOf('GET', `${pods}?labelSelector=${selector}`));
      return granted.place.at === 'many' && granted.place.clusters;
    };
    expect(await clustersAt('clusterspace%3Dkarmada')).toEqual(['karmada']);
    expect(asked).toEqual([]);
    expect(await clustersAt('clusterspace!%3Dkarmada')).toEqual(['alpha', 'tokyo']);
    expect(await clustersAt('clusterspace+in+(karmada,tokyo)')).toEqual(['karmada', 'tokyo']);
  });

  it('stays in open streams', async () => {
    const { clustersNow } = await authorizer('watch *').authorize(alice, templateTargetOf('GET', `${pods}?watch=1`));
    expect(await clustersNow()).toEqual(['alpha', 'karmada', 'tokyo']);
  });

  it('is none of the members that clusters/* shows', async () => {
    const url = `/apis/cluster.karmada.io/v1alpha1/clusters/*/proxy${pods}`;
    const { place } = await authorizer('get *').authorize(alice, templateTargetOf('GET', url));
    expect(place).toMatchObject({ clusters: ['alpha', 'tokyo'] });
  });

  it('FED-39: objects named like a template are reported from members that the permission reaches', async () => {
    const { authorize, asked } = authorizer('get tokyo');
    const { place } = await authorize(alice, templateTargetOf('GET', `${pods}/x`));
    expect(asked).toEqual([]);
    expect(place.at === 'template' && (await place.members())).toEqual(['tokyo']);
  });

  it.each([
    ['DELETE', `${pods}/x`],
    ['PUT', `${pods}/x`],
    ['PATCH', `${pods}/x`],
    ['GET', `${pods}/x/exec`],
    ['POST', `${pods}/x/exec`],
  ])(
    'FED-39: objects named like a template are reported only with permission to get, also by %s %s',
    async (method, url) => {
      const reachable = async (...grants: string[]) => {
        const { place } = await authorizer(...grants).authorize(alice, templateTargetOf(method, url));
        return place.at === 'template' && (await place.members());
      };
      expect(await reachable('delete tokyo', 'update tokyo', 'patch tokyo', 'create tokyo')).toEqual([]);
      expect(await reachable('get tokyo')).toEqual(['tokyo']);
    },
  );
});

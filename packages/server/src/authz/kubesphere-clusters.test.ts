import { expect, it } from 'vitest';
import type { User } from '../authn/user.ts';
import { templateTargetOf } from '../testing/targets.ts';
import { createAuthorizer } from './authorize.ts';

const nobody: User = { name: 'nobody', uid: undefined, groups: [], extra: {}, origin: 'other' };
const path = '/apis/cluster.kubesphere.io/v1alpha1/clusters';

// The product answers for this kind with its own permissions: whatever the place, the user's are reviewed first.
it.each([
  ['GET', `${path}/tokyo`],
  ['GET', `${path}/tokyo?labelSelector=clusterspace!%3Dkarmada`],
  ['GET', `${path}/tokyo?labelSelector=clusterspace%3Dtokyo`],
  ['DELETE', `${path}/tokyo?labelSelector=clusterspace!%3Dkarmada`],
  ['PATCH', `${path}/tokyo?labelSelector=clusterspace!%3Dkarmada`],
  ['GET', `${path}?fieldSelector=metadata.name%3Dtokyo`],
  ['GET', path],
  ['GET', `/clusterspaces/all${path}`],
  ['GET', `/clusterspaces/all${path}/tokyo`],
  ['GET', `${path}?labelSelector=clusterspace+in+(karmada,tokyo)`],
])('KS-1, AUTHZ-2: with federation on, %s %s is not for somebody without permissions', async (method, url) => {
  const { authorize } = createAuthorizer({ isAllowed: async () => false }, () => ['tokyo']);
  const asked = (async () => authorize(nobody, templateTargetOf(method, url)))();
  const code = await asked.then(
    ({ place }) => place,
    (error: { code?: number }) => error.code,
  );
  expect([400, 403]).toContain(code);
});

it('KS-1, AUTHZ-2: what is granted of many places, the control plane among them, is reviewed for this kind', async () => {
  const reviewed: unknown[] = [];
  const isAllowed = async (_user: User, attributes: object): Promise<boolean> => {
    reviewed.push(attributes);
    return 'resource' in attributes && JSON.stringify(attributes).includes('cluster.karmada.io');
  };
  const target = templateTargetOf('GET', `${path}/tokyo`);
  const template = { ...target, place: { at: 'template' as const } };
  const many = { ...target, place: { at: 'many' as const, clusters: {} } };
  for (const asked of [template, many]) {
    await expect(createAuthorizer({ isAllowed }, () => ['tokyo']).authorize(nobody, asked)).rejects.toMatchObject({
      code: 403,
    });
  }
  expect(JSON.stringify(reviewed)).toContain('cluster.kubesphere.io');
});

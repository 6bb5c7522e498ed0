import { expect, it } from 'vitest';
import type { User } from '../authn/user.ts';
import { parseTarget } from '../target/parse.ts';
import type { Attributes } from './access-review.ts';
import { createBodyAuthorizer } from './large-body.ts';

const alice: User = { name: 'alice', uid: undefined, groups: [], extra: {}, origin: 'other' };
const { authorizeBody } = createBodyAuthorizer({ isAllowed: async () => false }, () => ['m1']);

it.each([
  ['/api/v1/namespaces/d/pods/x', 'PUT', 'update x'],
  ['/api/v1/namespaces/d/pods', 'POST', 'create undefined'],
])(
  'SEC-3: with federation on, a body for %s is read for whom the control plane allows it',
  async (path, method, granted) => {
    const isAllowed = async (_: User, attributes: Attributes) =>
      'resource' in attributes && `${attributes.resource.verb} ${attributes.resource.name}` === granted;
    const { authorizeBody } = createBodyAuthorizer({ isAllowed }, () => ['m1']);
    await authorizeBody(alice, parseTarget(method, path, undefined, true));
    await expect(authorizeBody(alice, parseTarget(method, path))).rejects.toMatchObject({ code: 403 });
  },
);

it.each([
  [
    'POST',
    '/api/v1/namespaces/d/pods',
    'pods is forbidden: User "alice" cannot create resource "pods" in API group "" in the namespace "d"',
  ],
  [
    'POST',
    '/api/v1/namespaces/d/pods/x/eviction',
    'pods "x" is forbidden: User "alice" cannot create resource "pods/eviction" in API group "" in the namespace "d"',
  ],
  [
    'PUT',
    '/apis/apps/v1/namespaces/d/deployments/x/scale',
    'deployments.apps "x" is forbidden: User "alice" cannot update resource "deployments/scale" in API group "apps" in the namespace "d"',
  ],
  [
    'PATCH',
    '/api/v1/nodes/x',
    'nodes "x" is forbidden: User "alice" cannot patch resource "nodes" in API group "" at the cluster scope',
  ],
  ['POST', '/no/resource', 'forbidden: User "alice" cannot post path "/no/resource"'],
])('refuses as kube-apiserver does: %s %s', async (method, path, message) => {
  const target = parseTarget(method, `/clusterspaces/karmada${path}`);
  await expect(authorizeBody(alice, target)).rejects.toMatchObject({ code: 403, message });
});

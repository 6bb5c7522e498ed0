import { describe, expect, it } from 'vitest';
import type { User } from './authn/user.ts';
import { openServer } from './testing/open-server.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const user = (name: string, ...groups: string[]): User => ({
  name,
  groups: [...groups, 'system:authenticated'],
  extra: {},
});

const role = (name: string, ...rules: object[]) => ({ metadata: { name }, rules });
const binding = (name: string, kind: 'Role' | 'ClusterRole', to: string, ...subjects: object[]) => ({
  metadata: { name },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: to },
  subjects,
});
const subject = (name: string, kind = 'User') => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name });

/** A server that accepts requests as any user. */
async function openAs() {
  const { ask, ...rest } = await openServer();
  const as = (who: User) => (method: string, url: string, body?: object) =>
    ask(method, url, body, {
      'impersonate-user': who.name,
      ...(who.groups.length > 1 ? { 'impersonate-group': who.groups.slice(0, -1) as unknown as string } : {}),
    });
  /** Waits until the written RBAC objects have taken effect. */
  const inForce = async (who: User, verb: string, resource: string, namespace = 'default', group = '') => {
    const spec = { user: who.name, groups: who.groups, resourceAttributes: { verb, group, resource, namespace } };
    const review = () => ask('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', { spec });
    while (!((await review()).body['status'] as { allowed: boolean }).allowed) await new Promise(setImmediate);
  };
  return { ask, as, inForce, ...rest };
}

describe('AUTHZ-1: RBAC over HTTP', () => {
  it('who may only update or patch creates nothing, whatever the size of it', async () => {
    const { ask, as, inForce } = await openAs();
    const bob = user('bob');
    const rules = [
      { apiGroups: [''], resources: ['configmaps', 'services', 'services/status'], verbs: ['patch', 'update'] },
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['update'] },
    ];
    await ask('POST', `${rbac}/namespaces/default/roles`, role('write', ...rules));
    await ask('POST', `${rbac}/namespaces/default/rolebindings`, binding('write', 'Role', 'write', subject('bob')));
    await inForce(bob, 'patch', 'configmaps');
    const core = '/api/v1/namespaces/default';
    const apply = (data: object) =>
      ask(
        'PATCH',
        `${core}/configmaps/new?fieldManager=bob`,
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'new' }, data },
        { 'impersonate-user': 'bob', 'content-type': 'application/apply-patch+yaml' },
      );
    const message =
      'configmaps "new" is forbidden: User "bob" cannot create resource "configmaps" in API group "" in the namespace "default"';
    expect(await apply({})).toMatchObject({ status: 403, body: { reason: 'Forbidden', message } });
    // One that a worker thread would handle.
    expect(await apply({ large: 'x'.repeat(200_000) })).toMatchObject({ status: 403, body: { message } });
    const service = { metadata: { name: 'new' }, spec: { ports: [{ port: 80 }] } };
    expect((await as(bob)('PUT', `${core}/services/new`, service)).status).toBe(403);
    expect((await as(bob)('PUT', `${core}/services/new/status`, service)).status).toBe(403);
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    expect((await as(bob)('PUT', `${leases}/new`, { metadata: { name: 'new' } })).status).toBe(403);
    await ask('POST', `${core}/configmaps`, { metadata: { name: 'new' } });
    expect((await apply({ a: 'b' })).status).toBe(200);
  });

  it('lets do what a role allows, and refuses the rest in the words of kube-apiserver', async () => {
    const { ask, as, inForce } = await openAs();
    const bob = user('bob');
    await ask(
      'POST',
      `${rbac}/namespaces/default/roles`,
      role('read', { apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }),
    );
    await ask('POST', `${rbac}/namespaces/default/rolebindings`, binding('read', 'Role', 'read', subject('bob')));
    await inForce(bob, 'list', 'configmaps');
    expect((await as(bob)('GET', '/api/v1/namespaces/default/configmaps')).status).toBe(200);
    expect(await as(bob)('GET', '/api/v1/namespaces/kube-system/configmaps')).toMatchObject({
      status: 403,
      body: {
        reason: 'Forbidden',
        message:
          'configmaps is forbidden: User "bob" cannot list resource "configmaps" in API group "" in the namespace "kube-system"',
        details: { kind: 'configmaps' },
      },
    });
    expect((await as(bob)('GET', '/metrics')).body['message']).toBe('forbidden: User "bob" cannot get path "/metrics"');
    expect((await as(bob)('GET', '/version')).status).toBe(200);
  });

  it('nobody gives what they do not have', async () => {
    const { ask, as, inForce } = await openAs();
    const eve = user('eve', 'makers');
    const maker = role('maker', { apiGroups: ['rbac.authorization.k8s.io'], resources: ['*'], verbs: ['create'] });
    await ask('POST', `${rbac}/clusterroles`, maker);
    await ask(
      'POST',
      `${rbac}/clusterrolebindings`,
      binding('maker', 'ClusterRole', 'maker', subject('makers', 'Group')),
    );
    await inForce(eve, 'create', 'roles', 'default', 'rbac.authorization.k8s.io');
    const secrets = role('s', { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list'] });
    const refused = await as(eve)('POST', `${rbac}/namespaces/default/roles`, secrets);
    expect(refused.status).toBe(403);
    expect(refused.body['message']).toBe(
      'roles.rbac.authorization.k8s.io "s" is forbidden: user "eve" (groups=["makers" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}',
    );
    const bound = await as(eve)(
      'POST',
      `${rbac}/clusterrolebindings`,
      binding('x', 'ClusterRole', 'cluster-admin', subject('eve')),
    );
    expect(bound).toMatchObject({ status: 403, body: { details: { name: 'x', kind: 'clusterrolebindings' } } });
    expect(
      (await as(eve)('POST', `${rbac}/clusterrolebindings`, binding('x', 'ClusterRole', 'none', subject('eve')))).body,
    ).toMatchObject({
      code: 404,
      message: 'clusterrolebindings.rbac.authorization.k8s.io "none" not found',
    });
    expect(
      (await as(eve)('POST', `${rbac}/clusterrolebindings`, binding('x', 'ClusterRole', 'maker', subject('eve'))))
        .status,
    ).toBe(201);
  });

  it('admin, edit and view are put together from their parts', async () => {
    const { ask } = await openAs();
    for (const name of ['admin', 'edit', 'view']) {
      const { rules } = (await ask('GET', `${rbac}/clusterroles/${name}`)).body as { rules?: object[] };
      expect(rules?.length, name).toBeGreaterThan(10);
    }
  });
});

describe('AUTHN-1: ServiceAccount tokens', () => {
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  const open = async () => {
    const server = await openServer();
    const token = async (name: string, spec: object = {}) => {
      const { body } = await server.ask('POST', `${accounts}/${name}/token`, { spec });
      return (body['status'] as { token: string }).token;
    };
    const review = async (shown: string, audiences?: string[]) => {
      const spec = { token: shown, ...(audiences ? { audiences } : {}) };
      return (await server.ask('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { spec })).body['status'];
    };
    return { ...server, token, review };
  };

  it('a token is its account, for its audiences', async () => {
    const { token, review } = await open();
    expect(await review(await token('default'))).toMatchObject({
      authenticated: true,
      user: {
        username: 'system:serviceaccount:default:default',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
      },
      audiences: ['https://kubernetes.default.svc'],
    });
    const other = await token('default', { audiences: ['vault'] });
    expect(await review(other, ['vault', 'x'])).toMatchObject({ authenticated: true, audiences: ['vault'] });
    expect(await review(other)).toEqual({
      user: {},
      error:
        '[invalid bearer token, token audiences ["vault"] is invalid for the target audiences ["https://kubernetes.default.svc"]]',
    });
  });

  it('a token ends with its account, and with what it is bound to', async () => {
    const { ask, token, review } = await open();
    await ask('POST', accounts, { metadata: { name: 'a' } });
    await ask('POST', '/api/v1/namespaces/default/secrets', { metadata: { name: 's' } });
    const bound = await token('a', { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 's' } });
    const free = await token('a');
    expect(await review(bound)).toMatchObject({ authenticated: true });
    await ask('DELETE', '/api/v1/namespaces/default/secrets/s');
    expect(await review(bound)).toMatchObject({
      error: '[invalid bearer token, service account token has been invalidated]',
    });
    expect(await review(free)).toMatchObject({ authenticated: true });
    await ask('DELETE', `${accounts}/a`);
    expect(await review(free)).toMatchObject({ error: '[invalid bearer token, serviceaccounts "a" not found]' });
  });
});

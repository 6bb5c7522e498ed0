import { describe, expect, it } from 'vitest';
import type { Write } from './store/object-store.ts';
import { failingOnce } from './testing/failing-writes.ts';
import { openServer, type TestServer } from './testing/open-server.ts';
import { definitionsPath, widgetsOf } from './testing/widgets.ts';

interface Case {
  what: string;
  /** The controller's own write. */
  op: Write['op'];
  key: string;
  make(server: TestServer): Promise<unknown>;
  path: string;
  expected: object;
}

const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
const secrets = '/api/v1/namespaces/default/secrets';

const cases: Case[] = [
  {
    what: 'the status of a definition',
    op: 'update',
    key: '/registry/customresourcedefinitions/widgets.example.com',
    make: ({ ask }) => ask('POST', definitionsPath, widgetsOf('example.com', { type: 'object' })),
    path: `${definitionsPath}/widgets.example.com`,
    expected: {
      status: {
        conditions: expect.arrayContaining([expect.objectContaining({ type: 'Established', status: 'True' })]),
      },
    },
  },
  {
    what: 'the rules of an aggregated role',
    op: 'update',
    key: '/registry/clusterroles/all',
    make: async ({ ask }) => {
      const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { part: 'true' } }] };
      await ask('POST', roles, { metadata: { name: 'all' }, aggregationRule, rules: [] });
      await ask('POST', roles, { metadata: { name: 'part', labels: { part: 'true' } }, rules });
    },
    path: `${roles}/all`,
    expected: { rules },
  },
  {
    what: 'the account of a namespace',
    op: 'create',
    key: '/registry/serviceaccounts/x/default',
    make: ({ ask }) => ask('POST', '/api/v1/namespaces', { metadata: { name: 'x' } }),
    path: '/api/v1/namespaces/x/serviceaccounts/default',
    expected: { metadata: { name: 'default' } },
  },
  {
    what: 'the CA in a namespace',
    op: 'create',
    key: '/registry/configmaps/x/kube-root-ca.crt',
    make: ({ ask }) => ask('POST', '/api/v1/namespaces', { metadata: { name: 'x' } }),
    path: '/api/v1/namespaces/x/configmaps/kube-root-ca.crt',
    expected: { data: { 'ca.crt': 'pem' } },
  },
  {
    what: 'the token in a Secret',
    op: 'update',
    key: '/registry/secrets/default/token',
    make: ({ ask }) => {
      const annotations = { 'kubernetes.io/service-account.name': 'default' };
      const type = 'kubernetes.io/service-account-token';
      return ask('POST', secrets, { metadata: { name: 'token', annotations }, type });
    },
    path: `${secrets}/token`,
    expected: { data: { token: expect.any(String) } },
  },
];

describe('what a controller of the server fails to write is written by a retry', () => {
  it.each(cases)('$what', async ({ op, key, make, path, expected }) => {
    const { store, hasFailed } = failingOnce(op, key);
    const server = await openServer({ store, access: { rootCa: 'pem' } });
    await make(server);
    await expect.poll(async () => (await server.ask('GET', path)).body, { timeout: 5_000 }).toMatchObject(expected);
    expect(hasFailed()).toBe(true);
    expect(server.internalErrors.map(String)).toEqual([expect.stringContaining('no space left')]);
  });
});

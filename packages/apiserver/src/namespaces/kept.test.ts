import { expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';

const path = (name: string, query = '') => `/api/v1/namespaces/${name}${query}`;
const isGoing = async ({ ask }: Awaited<ReturnType<typeof openServer>>, name: string) =>
  ((await ask('GET', path(name))).body as { status?: { phase?: string } }).status?.phase !== 'Active';

it.each(['default', 'kube-public', 'kube-system'])(
  "CP-1: %s may not be deleted, in kube-apiserver's words",
  async (name) => {
    const server = await openServer();
    const refused = {
      status: 403,
      body: {
        kind: 'Status',
        reason: 'Forbidden',
        message: `namespaces "${name}" is forbidden: this namespace may not be deleted`,
        details: { name, kind: 'namespaces' },
        code: 403,
      },
    };
    expect(await server.ask('DELETE', path(name))).toMatchObject(refused);
    expect(await server.ask('DELETE', path(name, '?dryRun=All'))).toMatchObject(refused);
    // So large that a worker thread serves it.
    const body = `{"kind":"DeleteOptions","apiVersion":"v1"}${' '.repeat(20_000)}`;
    expect(await server.ask('DELETE', path(name), body)).toMatchObject(refused);
    expect(await isGoing(server, name)).toBe(false);
  },
);

it('what the server must keep is kept as long as there is a reason, from the garbage collector, too', async () => {
  const reasons = new Map([['kept', 'it holds what others need']]);
  const server = await openServer({ whyNamespaceIsKept: async (name) => reasons.get(name) });
  await server.ask('POST', '/api/v1/namespaces', { metadata: { name: 'kept' } });
  const message = 'namespaces "kept" is forbidden: it holds what others need';
  expect(await server.ask('DELETE', path('kept'))).toMatchObject({ status: 403, body: { message } });
  const owner = { apiVersion: 'v1', kind: 'Namespace', name: 'nobody', uid: '00000000-0000-4000-8000-000000000000' };
  const headers = { 'content-type': 'application/merge-patch+json' };
  await server.ask('PATCH', path('kept'), { metadata: { ownerReferences: [owner] } }, headers);
  await expect.poll(() => server.internalErrors.map(String)).toEqual([expect.stringContaining(message)]);
  expect(await isGoing(server, 'kept')).toBe(false);
  reasons.clear();
  expect((await server.ask('DELETE', path('kept'))).status).toBe(200);
});

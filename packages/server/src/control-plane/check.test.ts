import { UnreachableError } from '@fleet/client/upstream.ts';
import { expect, it } from 'vitest';
import { FakeUpstream, replyOf, statusReply } from '../testing/fake-upstream.ts';
import { checkControlPlane } from './check.ts';

const check = (answer: ConstructorParameters<typeof FakeUpstream>[0]) =>
  checkControlPlane(new FakeUpstream(answer), { url: 'https://cp:6443', kubeconfig: 'cp.kubeconfig' });

const where = 'the control plane at https://cp:6443 (--control-plane cp.kubeconfig)';

it('CP-3: one that answers, and one that only hides its version, can be used', async () => {
  await check(() => replyOf(200, { gitVersion: 'v1.36.3' }));
  await check(() => statusReply(403, 'Forbidden', 'no'));
});

it('CP-3: a credential that it refuses is reported with its address and kubeconfig', async () => {
  await expect(check(() => statusReply(401, 'Unauthorized', 'Unauthorized'))).rejects.toThrow(
    `${where} does not accept the credential of its kubeconfig`,
  );
});

it('CP-3: one that cannot be reached is reported so, with the cause', async () => {
  const cause = new Error('connect ECONNREFUSED');
  const failing = () => {
    throw new UnreachableError(false, { cause });
  };
  await expect(check(failing)).rejects.toMatchObject({ message: `${where}: cannot connect`, cause });
});

it('CP-3: what is no API server is reported so', async () => {
  await expect(check(() => statusReply(500, 'InternalError', 'away'))).rejects.toThrow(
    `${where} does not answer as an API server: away`,
  );
});

import { MessageChannel } from 'node:worker_threads';
import { forbidden } from '@fleet/kube/status.ts';
import { afterEach, expect, it } from 'vitest';
import { privileged } from '../authn/user.ts';
import type { Permissions } from '../rbac/escalation.ts';
import { remotePermissions, servePermissions } from './permissions-port.ts';

const open: MessageChannel[] = [];
afterEach(() => {
  for (const { port1, port2 } of open.splice(0)) {
    port1.close();
    port2.close();
  }
});

function asked(permissions: Pick<Permissions, 'decide' | 'rulesFor'>) {
  const channel = new MessageChannel();
  open.push(channel);
  servePermissions(permissions, channel.port1);
  return remotePermissions(channel.port2);
}

const user = privileged('test');
const attributes = { verb: 'get', group: '', resource: 'secrets' };

it('answers another thread from the state of this one', async () => {
  const allowed = { allowed: true, reason: 'because' };
  const remote = asked({ decide: async () => allowed, rulesFor: async () => [] });
  expect(await remote.decide(user, attributes)).toEqual(allowed);
  expect(await remote.rulesFor(user, 'default')).toEqual([]);
});

it('an error is reported to the other thread, and ends nothing', async () => {
  const remote = asked({
    decide: () => Promise.reject(new Error('no answer from the webhook')),
    rulesFor: () => Promise.reject(forbidden('not you')),
  });
  await expect(remote.decide(user, attributes)).rejects.toThrow('no answer from the webhook');
  await expect(remote.rulesFor(user, 'default')).rejects.toMatchObject({ code: 403, message: 'not you' });
  // It still works.
  await expect(remote.decide(user, attributes)).rejects.toThrow();
});

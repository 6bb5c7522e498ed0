/** What an agent that is logged in asks for and does not get (AGENT-4), and who does not get in at all (AGENT-3, AGENT-9). */

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { credentialsOf, giveToken, secretsPath } from '../agent-member.ts';
import { requestAs } from '../request.ts';
import { type Check, first, refusal, unaudited, unlike, within } from './check.ts';
import type { Scene } from './scene.ts';

/** Streams lead to this member, whose credentials are handed over. */
async function leadingTo(scene: Scene, name: 'mordor' | 'rohan') {
  const credentials = join(scene.folder, `${name}.json`);
  await writeFile(credentials, JSON.stringify(await credentialsOf(scene[name])));
  const agent = scene.start('agent', { target: `127.0.0.1:${scene[name].port}`, credentials });
  await agent.reports('credentials-stored');
  return agent;
}

export const refusalChecks = {
  /** Positive: what keeps to the rules is an agent, whoever wrote it. */
  async honest(scene) {
    await using _agent = await leadingTo(scene, 'mordor');
    const isServed = await within(async () => (await scene.status('mordor')) === 200, 15_000);
    return isServed ? undefined : 'an agent that keeps to the rules does not work';
  },

  async channels(scene) {
    let reached = 0;
    const canary = createServer(() => reached++).listen(0, '127.0.0.1');
    await once(canary, 'listening');
    const since = (await scene.audited()).length;
    const { port } = canary.address() as AddressInfo;
    const attack = await scene.attack('channels', { target: `127.0.0.1:${port}` });
    canary.close();
    const types = ['direct-tcpip', 'forwarded-tcpip', 'x11', 'tun@openssh.com', 'auth-agent@openssh.com'];
    const sockets = ['direct-streamlocal@openssh.com', 'forwarded-streamlocal@openssh.com'];
    const refusals = [...types, ...sockets].map((type) => refusal(`channel ${type}`));
    return first(
      unlike(attack, /^channel/, /^refused 1$/),
      reached > 0 && 'something in the fleet’s network was reached',
      await unaudited(scene, since, { stage: 'AgentLoggedIn', cluster: 'mordor' }, ...refusals),
    );
  },

  async sessions(scene) {
    const made = join(scene.folder, 'made-by-a-command');
    const since = (await scene.audited()).length;
    const attack = await scene.attack('sessions', { target: made });
    const requests = ['env', 'pty', 'x11', 'auth-agent', 'exec', 'shell', 'signal'].map((one) => `session ${one}`);
    const refusals = [...requests, 'subsystem sftp', 'subsystem netconf', 'second session'].map(refusal);
    return first(
      unlike(attack, /session/, /^refused/),
      existsSync(made) && 'a command was run',
      await unaudited(scene, since, ...refusals),
    );
  },

  async names(scene) {
    const since = (await scene.audited()).length;
    const attack = await scene.attack('names', { target: 'rohan' });
    const forwards = ['tcpip-forward', 'streamlocal-forward@openssh.com', 'request shutdown@example.com'];
    return first(
      unlike(attack, /^(name|socket|request)/, /^refused$/),
      await unaudited(scene, since, ...forwards.map(refusal)),
    );
  },

  /** As an agent of rohan, with mordor's token. */
  async otherCluster(scene) {
    const since = (await scene.audited()).length;
    const attack = await scene.attack('logins', { user: 'rohan' });
    const failed = (what: string) => ({ stage: 'AgentLoginFailed', cluster: 'rohan', what });
    return first(
      unlike(attack, /^login/, /^refused$/),
      await unaudited(scene, since, failed('password'), failed('publickey'), {
        stage: 'AgentRefused',
        what: 'no login',
      }),
    );
  },

  /** A token that was taken away: what is connected with it ends, and it is worth nothing later. */
  async replay(scene) {
    const { fleet } = scene;
    const { secret } = await giveToken(fleet, 'mordor', 'hash-3');
    await using agent = scene.start('agent', { secret, target: `127.0.0.1:${scene.mordor.port}` });
    await agent.reports('name kubernetes:443', 'accepted');
    await fleet.controlPlane.patch(`${secretsPath}/mordor-agent-token`, 'merge', { data: { 'hash-3': null } });
    const isCutOff = await within(() => agent.answers('connection').includes('cut off'));
    const since = (await scene.audited()).length;
    const attack = await scene.attack('logins', { secret });
    return first(
      !isCutOff && 'what logged in with a token that is revoked stays',
      unlike(attack, /^login/, /^refused$/),
      await unaudited(scene, since, { stage: 'AgentLoginFailed', cluster: 'mordor', what: 'password' }),
    );
  },

  /** Another member's API server, with its credentials: the uid of kube-system is not the one that is registered. */
  async otherMember(scene) {
    const since = (await scene.audited()).length;
    await using agent = await leadingTo(scene, 'rohan');
    const path = '/clusters/mordor/api/v1/namespaces/kube-system';
    const { uid } = (await scene.rohan.client.get<{ metadata: { uid: string } }>('/api/v1/namespaces/kube-system'))
      .metadata;
    const shown = await within(async () => JSON.stringify((await requestAs(scene.admin, path)).body).includes(uid));
    return first(
      shown && 'another member is shown under this name',
      agent.answers('stream').length === 0 && 'nothing was looked at',
      await unaudited(scene, since, refusal('member')),
    );
  },
} satisfies Record<string, Check>;

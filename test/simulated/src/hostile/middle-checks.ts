/** A server that is not the fleet, and somebody between an agent and the fleet: neither gets a secret, nor changes a byte (AGENT-3). */

import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { until } from '@fleet/bed/until.ts';
import { startAgent } from '../agent-member.ts';
import { startAgentProcess, writeToken } from '../agent-process.ts';
import { requestAs } from '../request.ts';
import { type Check, first, unaudited, within } from './check.ts';
import type { Scene } from './scene.ts';
import { type Direction, startTamperingProxy } from './tampering-proxy.ts';

const maps = '/api/v1/namespaces/default/configmaps';

/** An agent of mordor in this process, through the proxy. */
function startThrough({ fleet, token, mordor }: Scene, port: number) {
  const dial = async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
  return startAgent(fleet.product, token, mordor, { dial });
}

const connected = (log: readonly string[]): number => log.filter((line) => line.endsWith('is established')).length;
const failed = (log: readonly string[]): number => log.filter((line) => / connection: /.test(line)).length;

/** The byte at each of these places, one after the other: none of them leads to a login. */
const handshake =
  (direction: Direction): Check =>
  async (scene) => {
    await using proxy = await startTamperingProxy(Number(new URL(scene.fleet.product.url).port));
    {
      await using agent = startThrough(scene, proxy.port);
      await until('an agent logs in through the proxy', () => connected(agent.log) === 2);
    }
    // Within the line that begins SSH, and of what comes in one piece what its first packet is. Padding, of which short packets are full, is
    // protected by nothing before there are keys.
    const places = new Set(proxy.seen[direction].slice(0, 7).map((start) => start + 5));
    // Of what only the agent finds wrong, the last is the answer to its login.
    const stage = direction === 'toServer' ? { stage: 'AgentRefused' } : {};
    for (const at of places) {
      const since = (await scene.audited()).length;
      const before = proxy.connections;
      proxy.change = { direction, at };
      await using agent = startThrough(scene, proxy.port);
      await until('the agent has tried', () => failed(agent.log) + connected(agent.log) >= 2);
      const found = first(
        connected(agent.log) > 0 && `byte ${at} ${direction} was changed, and an agent logged in`,
        await unaudited(scene, since, ...proxy.addresses.slice(before).map((from) => ({ from, ...stage }))),
      );
      if (found) return found;
    }
    return places.size < 4 ? 'too few bytes were changed' : undefined;
  };

/** While requests go through it: each change ends a connection, and no answer is wrong. */
/** A response that breaks off is an error for its client: TLS to the member, inside the tunnel, has found the byte. */
const brokenOff = (error: Error): undefined => {
  if (error.message !== 'aborted') throw error;
};

const later =
  (direction: Direction): Check =>
  async (scene) => {
    const text = 'abcdefgh'.repeat(20_000);
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'long-text' }, data: { text } };
    await scene.mordor.client.patch(`${maps}/long-text?fieldManager=test`, 'apply', map);
    await using proxy = await startTamperingProxy(Number(new URL(scene.fleet.product.url).port));
    await using agent = startThrough(scene, proxy.port);
    const ask = () => requestAs(scene.admin, `/clusters/mordor${maps}/long-text`);
    const since = (await scene.audited()).length;
    for (let round = 0; round < 4; round++) {
      await until('mordor is served', async () => (await ask()).status === 200);
      const before = failed(agent.log);
      proxy.changeNext = direction;
      const answer = await ask().catch(brokenOff);
      const isRight = answer?.status === 200 && (answer.body as { data?: { text?: string } }).data?.text === text;
      if (!isRight && answer && ![502, 503, 504].includes(answer.status))
        return `a changed byte came to a user, with ${answer.status}`;
      if (proxy.changeNext) return 'no byte was changed';
      const isNoticed = await within(() => failed(agent.log) > before);
      if (!isNoticed) return 'a byte was changed, and the connection goes on';
    }
    // What the agent finds wrong the server sees as a connection that ends.
    return direction === 'toServer'
      ? unaudited(scene, since, { stage: 'AgentRefused', cluster: 'mordor' })
      : unaudited(scene, since, { stage: 'AgentLoggedIn', cluster: 'mordor' });
  };

/** Go's server with this host key: what the agent's process sends to it. */
async function dialledByMistake(scene: Scene, hostKey: Record<string, string>) {
  let reached = 0;
  const canary = createServer(() => reached++).listen(0, '127.0.0.1');
  await once(canary, 'listening');
  const target = `127.0.0.1:${(canary.address() as AddressInfo).port}`;
  await using server = scene.start('serve', { target, ...hostKey });
  const { answer: address } = await server.reports('listening');
  const { folder, token, mordor, agentMutant: mutant } = scene;
  const flags = ['--transport', 'ssh'];
  await using agent = await startAgentProcess({
    server: `https://${address}`,
    tokenFile: await writeToken(folder, token),
    kubeconfig: mordor.kubeconfig,
    flags,
    mutant,
  });
  const isOver = (what: string) => server.answers(what).length > 0;
  // Without the right key it tries again; with it, each of two connections is asked for three addresses.
  const isPinned = 'host-key' in hostKey;
  await until('the agent has dialled', () =>
    isPinned
      ? server.facts.filter(({ what }) => what.startsWith('reach')).length >= 3
      : isOver('handshake') || isOver('secret'),
  );
  await within(() => isPinned || agent.lines.some((line) => /host/i.test(line)));
  canary.close();
  return { facts: [...server.facts], lines: [...agent.lines], reached };
}

export const middleChecks = {
  changedToServer: handshake('toServer'),
  changedToAgent: handshake('toAgent'),
  changedLaterToServer: later('toServer'),
  changedLaterToAgent: later('toAgent'),

  async otherHostKey(scene) {
    const { facts, lines } = await dialledByMistake(scene, {});
    return first(
      facts.some(({ what }) => what === 'secret') && 'a server with another host key got the secret',
      !lines.some((line) => /host/i.test(line)) && 'the agent does not log why',
    );
  },

  /** Positive: with the host key it gets the secret; then it may ask for what it likes, and reaches nothing. */
  async stolenHostKey(scene) {
    const file = join(scene.folder, 'host.key');
    await writeFile(file, await readFile(join(scene.fleet.product.dataDir, 'pki/agent-host.key')), { mode: 0o600 });
    const { facts, reached } = await dialledByMistake(scene, { 'host-key': file });
    const asked = facts.filter(({ what }) => what.startsWith('reach'));
    return first(
      !facts.some(({ what, answer }) => what === 'secret' && answer === 'mordor true') && 'the agent did not log in',
      asked.some(({ answer }) => answer !== 'refused') && 'the agent dials what it was not started for',
      reached > 0 && 'something beside the member was reached',
    );
  },
} satisfies Record<string, Check>;

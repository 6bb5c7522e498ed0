/** Negative controls of the suites on agents: each check holds, and fails where its bug is planted (0007). Needs no clusters. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mutant } from '@fleet/bed/mutant.ts';
import { startCluster } from '@fleet/simulator/start-cluster.ts';
import type { AgentToken } from '@fleet/tunnel/token.ts';
import type { KubeConfig } from '@kubernetes/client-node';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  clustersPath,
  credentialsOf,
  giveToken,
  handing,
  joinThroughAgent,
  registerProxy,
  secretsPath,
  startAgent,
} from './src/agent-member.ts';
import { type SimulatedFleet, startFleet } from './src/fleet.ts';
import { requestAs } from './src/request.ts';

const settled = { timeout: 15_000, interval: 50 };
const annotate = ({ fleet }: Scene, annotations: Record<string, string>) =>
  fleet.controlPlane.patch(`${clustersPath}/rohan`, 'merge', { metadata: { annotations } });

interface Scene {
  fleet: SimulatedFleet;
  admin: KubeConfig;
  /** A second one of rohan, whose agent the fleet runs. */
  token: AgentToken;
  audit(): Promise<string>;
}

const ask = async ({ admin }: Scene, name = 'rohan') => (await requestAs(admin, `/clusters/${name}/version`)).status;

/** Whether it came to pass in a while. */
const within = (test: () => boolean | Promise<boolean>, timeout = 4_000): Promise<boolean> =>
  expect
    .poll(test, { timeout, interval: 50 })
    .toBe(true)
    .then(
      () => true,
      () => false,
    );

/** An agent beside the fleet's own. */
async function agentOf({ fleet }: Scene, token: AgentToken) {
  const agent = startAgent(fleet.product, token, fleet.members.get('rohan')!);
  onTestFinished(() => agent[Symbol.asyncDispose]());
  return agent;
}

async function connected(scene: Scene) {
  const agent = await agentOf(scene, scene.token);
  await expect.poll(() => agent.log.filter((line) => line.endsWith('is established')).length, settled).toBe(2);
  return agent;
}

/** What each finds wrong; nothing where all is well. */
const checks: Record<string, (scene: Scene) => Promise<string | undefined>> = {
  async tokens(scene) {
    await agentOf(scene, { ...scene.token, secret: 'x'.repeat(43) });
    const isSeen = await within(async () => /"AgentLoginFailed".*"rohan"/.test(await scene.audit()));
    return isSeen ? undefined : 'anybody logs in';
  },
  async audit(scene) {
    await agentOf(scene, { ...scene.token, cluster: 'nowhere' });
    const isSeen = await within(async () => /"AgentLoginFailed".*"nowhere"/.test(await scene.audit()));
    return isSeen ? undefined : 'a failed login is not audited';
  },
  async inactive(scene) {
    const agent = await connected(scene);
    const before = agent.log.length;
    await annotate(scene, { 'cluster.kubesphere.io/active': 'false' });
    const isClosed = await within(() => agent.log.length > before);
    await annotate(scene, { 'cluster.kubesphere.io/active': 'true' });
    return isClosed ? undefined : 'the tunnel of a deactivated cluster stays open';
  },
  async revoked(scene) {
    const agent = await connected(scene);
    const before = agent.log.length;
    await scene.fleet.controlPlane.patch(`${secretsPath}/rohan-agent-token`, 'merge', { data: { 'hash-2': null } });
    return (await within(() => agent.log.length > before)) ? undefined : 'a revoked token stays connected';
  },
  async members(scene) {
    const { fleet } = scene;
    await registerProxy(fleet, 'moria');
    const rohan = fleet.members.get('rohan')!;
    const token = await giveToken(fleet, 'moria');
    const agent = startAgent(fleet.product, token, rohan, { credentials: handing(await credentialsOf(rohan)) });
    onTestFinished(() => agent[Symbol.asyncDispose]());
    await expect.poll(() => agent.log, settled).toContain('credentials are stored');
    const isReached = await within(async () => (await ask(scene, 'moria')) === 200);
    return isReached ? 'a member is reached under two names' : undefined;
  },
  async secrets(scene) {
    const { fleet } = scene;
    const annotations = { 'fleet.karmada.io/cluster': 'rohan' };
    await fleet.controlPlane.create(secretsPath, { metadata: { name: 'fangorn', annotations }, data: {} });
    await registerProxy(fleet, 'fangorn');
    const rohan = fleet.members.get('rohan')!;
    const credentials = handing(await credentialsOf(rohan));
    const agent = startAgent(fleet.product, await giveToken(fleet, 'fangorn'), rohan, { credentials });
    onTestFinished(() => agent[Symbol.asyncDispose]());
    await within(() => agent.log.some((line) => line.startsWith('credentials')));
    return agent.log.includes('credentials are stored') ? 'a Secret of another cluster was overwritten' : undefined;
  },
  async dialling(scene) {
    const { fleet } = scene;
    await fleet.controlPlane.delete(`${secretsPath}/rohan-agent-token`);
    const isGone = await within(async () => (await ask(scene)) === 503);
    return isGone ? undefined : 'a cluster without an agent is reached';
  },
};

const server = 'packages/server/src';
const bugs: Record<keyof typeof checks, Mutant> = {
  tokens: {
    file: `${server}/agents/agent-logins.ts`,
    from: 'return matchesSecret(login.token, this.#hashesOf(login.name)) && isOpen;',
    to: 'return isOpen;',
  },
  audit: {
    file: `${server}/agents/agent-tunnels.ts`,
    from: "this.#failed({ event: 'AgentLoginFailed', cluster: name, address, what: by })",
    to: '{}',
  },
  revoked: {
    file: `${server}/agents/agent-tunnels.ts`,
    from: "(this.#logins.isValid(name, proof) ? undefined : 'its token or key is no longer valid')",
    to: 'undefined',
  },
  inactive: {
    file: `${server}/agents/agent-logins.ts`,
    from: "if (!isActive(cluster)) return 'the cluster is not active';",
    to: '',
  },
  members: {
    file: `${server}/agents/member-identity.ts`,
    from: 'if (twin !== undefined) throw',
    to: 'if (!uid) throw',
  },
  secrets: {
    file: `${server}/agents/handed-credentials.ts`,
    from: 'if (secret && !serves(secret, name)) throw',
    to: 'if (!name) throw',
  },
  dialling: {
    file: `${server}/members/member.ts`,
    from: "const isTunnelled = connectionTypeOf(cluster) === 'proxy';",
    to: 'const isTunnelled = !cluster;',
  },
};

async function start(mutant?: Mutant): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-agents-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const log = join(folder, 'audit.log');
  const fleet = await startFleet({ members: [], flags: ['--audit-log', log], ...(mutant ? { mutant } : {}) });
  onTestFinished(() => fleet[Symbol.asyncDispose]());
  const rohan = await startCluster({ name: 'rohan', onError: (error) => console.error(error) });
  fleet.members.set('rohan', rohan);
  // The member listens on this machine: a product that dials it itself would reach it.
  const agent = await joinThroughAgent(fleet, rohan, 'rohan', { apiEndpoint: rohan.url });
  onTestFinished(() => agent[Symbol.asyncDispose]());
  const token = await giveToken(fleet, 'rohan', 'hash-2');
  return { fleet, admin: await fleet.config(), token, audit: () => readFile(log, 'utf8') };
}

describe('AGENT-3, AGENT-9, AGENT-10, AGENT-11: planted bugs are seen', () => {
  it('without one nothing is found', async () => {
    const scene = await start();
    for (const check of Object.values(checks)) expect(await check(scene)).toBeUndefined();
  });

  it.each(Object.keys(checks))('%s', async (name) => {
    expect(await checks[name]!(await start(bugs[name]))).toBeTypeOf('string');
  });
});

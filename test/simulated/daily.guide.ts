/** The guides on kubectl, on users and on federation, run as they are written. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SimulatedFleet, startFleet } from './src/fleet.ts';
import { GuideReader } from './src/guide.ts';
import { hasKubectl } from './src/kubectl.ts';

/** In milliseconds: a guide has many commands, each of which starts a process. */
const patience = 180_000;

const deployment = JSON.stringify({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { app: 'web' } },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'nginx' }] },
    },
  },
});

async function startReading(flags: readonly string[] = []): Promise<{ fleet: SimulatedFleet; reader: GuideReader }> {
  const fleet = await startFleet({ members: ['member1', 'member2'], flags });
  const reader = await GuideReader.in(fleet.folder);
  return { fleet, reader };
}

describe.skipIf(!hasKubectl)('CLU-1: as written, for users', { timeout: patience }, () => {
  let fleet: SimulatedFleet;
  let reader: GuideReader;

  beforeAll(async () => {
    ({ fleet, reader } = await startReading());
    await writeFile(join(reader.folder, 'deployment.yaml'), deployment);
    const kubectl = 'kubectl --kubeconfig member1.kubeconfig';
    await reader.shell(
      `${kubectl} create -f deployment.yaml
       ${kubectl} run x --image nginx
       ${kubectl} wait --for=condition=Ready --timeout=60s pod/x`,
      fleet.product,
    );
  }, patience);

  afterAll(() => fleet?.[Symbol.asyncDispose]());

  test('a kubeconfig for each URL', () => reader.followAll('kubectl.md', 'A kubeconfig for each URL', fleet.product));

  test('users and their permissions', async () => {
    const page = 'users-and-permissions.md';
    await reader.save(page, 'Let a group reach one cluster', 'reach-member1.yaml', 'developers-view.yaml');
    const steps = await reader.steps(page, 'Let a group reach one cluster');
    const look = steps.pop()!;
    for (const step of steps) await reader.follow(step, fleet.product);
    await reader.shell(
      'kubectl --kubeconfig member1.kubeconfig delete deployment web --wait --cascade=foreground',
      fleet.product,
    );
    await expect.poll(() => reader.follow(look, fleet.product).then(() => true), { timeout: 60_000 }).toBe(true);
    await reader.followAll(page, 'Who users are', fleet.product);
    await reader.followAll(page, 'No namesakes', fleet.product);
    const clusters = async () =>
      (await reader.shell('FLEET_KUBECONFIG=alice.kubeconfig fleet get clusters 2>&1 || true', fleet.product)).split(
        '\n',
      )[0];
    expect(await clusters()).toContain('cannot list resource "clusters"');
    await reader.followAll(page, 'Permissions for the `fleet` command', fleet.product);
    // Decisions of the control plane are kept for ten seconds.
    await expect.poll(clusters, { timeout: 30_000 }).toContain('NAME ');
    const robot = 'kubectl --kubeconfig robot.kubeconfig auth whoami';
    expect(await reader.shell(robot, fleet.product)).toContain('system:serviceaccount:default:robot');
    await reader.shell('kubectl --kubeconfig member1.kubeconfig create -f deployment.yaml', fleet.product);
  });

  test('kubectl on all members, on one and on the control plane', async () => {
    await reader.followAll('kubectl.md', 'All members: the root', fleet.product);
    await reader.followAll('kubectl.md', 'One member: `/clusterspaces/{member}`', fleet.product);
    await reader.followAll('kubectl.md', "The same by Karmada's URL: `clusters/{member}/proxy`", fleet.product);
    const aggregation = 'Registered kinds with plain names: the aggregation endpoint';
    await reader.followAll('kubectl.md', aggregation, fleet.product);
    await reader.followAll('kubectl.md', 'The control plane: `/clusterspaces/karmada`', fleet.product);
  });

  test('KS-1: KubeSphere', async () => {
    await reader.followAll('kubesphere.md', 'Clusters', fleet.product);
  });
});

describe.skipIf(!hasKubectl)('FED-1: as written, with federation', { timeout: patience }, () => {
  let fleet: SimulatedFleet;
  let reader: GuideReader;

  beforeAll(async () => {
    ({ fleet, reader } = await startReading(['--federation']));
  }, patience);

  afterAll(() => fleet?.[Symbol.asyncDispose]());

  test('from the first propagation to the end', async () => {
    const page = 'federation.md';
    await reader.followAll(page, 'Turn it on', fleet.product);
    const join = 'fleet join member2 --kubeconfig member2.kubeconfig --federation-kinds deployments.apps';
    await reader.shell(join, fleet.product);
    await reader.save(page, 'Your first propagation', 'shop.yaml');
    await reader.followAll(page, 'Your first propagation', fleet.product);
    await reader.shell(
      'kubectl wait --for=jsonpath={.status.readyReplicas}=6 deployment/shop --timeout=90s',
      fleet.product,
    );
    await reader.followAll(page, 'Templates and their objects in members', fleet.product);
    await reader.followAll('overrides.md', 'When an override fails', fleet.product);
    await reader.followAll('troubleshooting.md', 'Federation: nothing arrives in a member', fleet.product);
    await reader.followAll(page, 'Take a cluster out of scheduling', fleet.product);
    const inMember = 'kubectl --kubeconfig member1.kubeconfig';
    await reader.shell(`${inMember} create deployment cart --image nginx`, fleet.product);
    await reader.followAll(page, 'Take over what a member has', fleet.product);
    await reader.followAll(page, 'Turning it off', fleet.product);
    expect(await reader.shell('kubectl get deployment shop.clusterspace.member1 -o name', fleet.product)).toContain(
      'shop',
    );
  });
});

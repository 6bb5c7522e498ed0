/**
 * Deployments on three real members, propagated by the product and by a real Karmada in turns, each with members and a kube-apiserver as
 * the control plane of its own: how long it takes, and what it writes, by the audit logs of kube-apiservers.
 */

import { loadavg } from 'node:os';
import type { Api } from '@fleet/bed/api.ts';
import { basicControllers } from '@fleet/bed/control-plane.ts';
import { type Member, startMember } from '@fleet/bed/member.ts';
import { startProduct } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { Witness } from '@fleet/bed/witness.ts';
import { type LoadGenerator, startLoadGenerator } from '../load.ts';
import { cpuTime, memoryOf } from '../memory.ts';
import { inTurns, ratios, spread } from '../ratio.ts';
import { buildKarmada, startKarmada } from './karmada.ts';
import { tableColumn } from './table-column.ts';
import { bindingsPath, deployments, duplicated, namespace, policiesPath, selector } from './templates.ts';
import { add, countedAs, listOf, totalsOf, type WriteCounts } from './write-counts.ts';

interface Side {
  name: string;
  controlPlane: Member;
  members: readonly Member[];
  pids: readonly number[];
  /** Of its requests, to the control plane and to members. */
  agents: RegExp;
}

interface Taken {
  seconds: number;
  cpu: number;
  controlPlane: WriteCounts;
  members: WriteCounts;
}

type Step = 'created' | 'changed' | 'deleted';
type Round = Record<Step, Taken>;

const patience = { timeout: 900_000, every: 250 };
const memberNames = ['member1', 'member2', 'member3'];

export async function benchBesideKarmada({ templates, rounds }: { templates: number; rounds: number }): Promise<void> {
  console.log(`\n${templates} Deployments on 3 real members, ${rounds} rounds`);
  await buildKarmada();
  await using stack = new AsyncDisposableStack();
  // Statuses of Deployments come and go; their pods have no nodes.
  const controllers = [...basicControllers, 'deployment-controller', 'replicaset-controller'];
  const start = async (name: string, of: readonly string[]) =>
    stack.use(await startMember({ name, nodes: 0, controllers: of }));
  // Both bring namespaces to their members, and would not leave those of the other alone.
  const startMembers = async (): Promise<Member[]> => {
    const members: Member[] = [];
    for (const name of memberNames) members.push(await start(name, controllers));
    return members;
  };
  const [members, others] = [await startMembers(), await startMembers()];
  const own = await start('control-plane', basicControllers);
  const theirs = await start('karmada-control-plane', basicControllers);
  const product = stack.use(await startProduct({ controlPlane: own, flags: ['--federation'] }));
  for (const member of members) await product.join(member, member.name, '--federation-kinds', 'deployments.apps');
  const karmada = await startKarmada(stack, theirs, others);
  const sides = {
    ours: { name: 'ours', controlPlane: own, members, pids: [product.pid], agents: /^fleet/ },
    karmada: { name: 'karmada', controlPlane: theirs, members: others, pids: karmada.pids, agents: /^karmada-/ },
  } satisfies Record<string, Side>;
  for (const { controlPlane } of Object.values(sides)) {
    await controlPlane.api.object('/api/v1/namespaces', { method: 'POST', body: { metadata: { name: namespace } } });
    await controlPlane.api.object(policiesPath, { method: 'POST', body: duplicated(deployments) });
  }
  const load = stack.use(startLoadGenerator());
  // The first round of each does not count.
  const taken = await inTurns(
    {
      ours: () => round(sides.ours, load, templates),
      karmada: () => round(sides.karmada, load, templates),
    },
    rounds,
  );
  const objects = templates * members.length;
  for (const step of ['created', 'changed', 'deleted'] as const) report(step, taken, objects);
  const memory = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + memoryOf(pid), 0).toFixed(0);
  console.log(
    `memory: ours ${memory(sides.ours.pids)} MiB, Karmada's three ${memory(sides.karmada.pids)} MiB; load ${loadavg()[0]!.toFixed(1)}`,
  );
}

/** All is gone again at its end. */
async function round(side: Side, load: LoadGenerator, templates: number): Promise<Round> {
  const { controlPlane, members } = side;
  const { api, directServer, ca, admin } = controlPlane;
  const job = { origin: directServer, tls: { ca, ...admin }, connections: 16, requests: templates };
  const value = crypto.randomUUID();
  const created = await measured(side, async () => {
    await load.run({ ...job, path: deployments.path, body: JSON.stringify(deployments.template('t-{n}')) });
    const areApplied = async () =>
      (await tableColumn(api, bindingsPath, 'FULLYAPPLIED')).filter((one) => one === 'True').length === templates;
    await until(`${side.name}: all are FullyApplied`, areApplied, patience);
  });
  const changed = await measured(side, async () => {
    const body = JSON.stringify(deployments.change(value));
    await load.run({ ...job, path: `${deployments.path}/t-{n}`, body, patches: true });
    await untilInMembers(members, `labelSelector=value%3D${value}`, templates);
  });
  const deleted = await measured(side, async () => {
    const body = { kind: 'DeleteOptions', apiVersion: 'v1' };
    await api.object(`${deployments.path}?${selector}`, { method: 'DELETE', body, timeout: 120_000 });
    await untilInMembers(members, selector, 0);
    const areGone = async () => (await tableColumn(api, bindingsPath, 'Name')).length === 0;
    await until(`${side.name}: all bindings are gone`, areGone, patience);
  });
  return { created, changed, deleted };
}

const untilInMembers = async (members: readonly Member[], query: string, count: number): Promise<void> => {
  const have = async ({ api }: { api: Api }) =>
    (await tableColumn(api, deployments.path, 'Name', query)).length === count;
  const areThere = async () => (await Promise.all(members.map(have))).every(Boolean);
  await until(`all members have ${count}`, areThere, patience);
};

async function measured(side: Side, work: () => Promise<void>): Promise<Taken> {
  const logs = [side.controlPlane, ...side.members].map(({ auditLog }) => new Witness(auditLog));
  const marks = logs.map((log) => log.mark());
  const begun = performance.now();
  let seconds = 0;
  const cpu = await cpuTime(side.pids, async () => {
    await work();
    seconds = (performance.now() - begun) / 1_000;
  });
  const counted: WriteCounts[] = [];
  for (const [index, log] of logs.entries()) {
    const counts: WriteCounts = {};
    const entries = await log.since(marks[index]!, ({ userAgent }) => side.agents.test(userAgent));
    for (const { verb, objectRef, code = 0 } of entries) {
      const { resource, subresource } = objectRef ?? {};
      if (!isWrite.test(verb) || !resource || resource.endsWith('reviews')) continue;
      add(counts, countedAs(`${verb} ${resource}${subresource ? `/${subresource}` : ''}`, code));
    }
    counted.push(counts);
  }
  const [controlPlane = {}, ...others] = counted;
  const ofMembers: WriteCounts = {};
  for (const counts of others) for (const [name, count] of Object.entries(counts)) add(ofMembers, name, count);
  return { seconds, cpu, controlPlane, members: ofMembers };
}

const isWrite = /^(?:create|update|patch|delete)$/;

function report(step: Step, { ours, karmada }: Record<'ours' | 'karmada', Round[]>, objects: number): void {
  const of = (side: readonly Round[]) => side.map((one) => one[step]);
  const seconds = (side: readonly Round[]) => of(side).map((one) => one.seconds);
  const cpu = (side: readonly Round[]) => of(side).map((one) => one.cpu / 1_000);
  console.log(
    `${step}: ours ${spread(seconds(ours), 1)} s, Karmada ${spread(seconds(karmada), 1)} s, ` +
      `ratio ${spread(ratios(seconds(ours), seconds(karmada)), 2)}; CPU ${spread(cpu(ours), 1)} s and ${spread(cpu(karmada), 1)} s; ` +
      `load ${loadavg()[0]!.toFixed(1)}`,
  );
  for (const [name, side] of [['ours', ours] as const, ['Karmada', karmada] as const]) {
    const { controlPlane, members } = of(side).at(-1)!;
    const [own, theirs] = [totalsOf(controlPlane), totalsOf(members)];
    const each = (count: number) => (count / objects).toFixed(2);
    console.log(
      `  ${name}, writes per object of a member: control plane ${each(own.written)}, refused ${each(own.refused)}, ` +
        `events ${each(own.events)}; members ${each(theirs.written)}, refused ${each(theirs.refused)}\n` +
        `    control plane: ${listOf(controlPlane, objects)}\n    members: ${listOf(members, objects)}`,
    );
  }
}

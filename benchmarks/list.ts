/** A vanilla list over three members against three direct lists at once; the CPU time and the memory it takes. */

import { startMember } from '@fleet/bed/member.ts';
import { startProduct } from '@fleet/bed/product.ts';
import { cpuTime, peakGrowth } from './memory.ts';
import { fillWithPods } from './pods.ts';
import { compare } from './ratio.ts';
import { createReader, tableAccept } from './reader.ts';

const perMember = Number(process.env['BENCH_PODS'] ?? 3_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 15);

const memoryRounds = 10;

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

export async function benchList(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const start = async (name: string) => stack.use(await startMember({ name, nodes: 0 }));
  const [controlPlane, ...members] = await Promise.all(['control-plane', 'member1', 'member2', 'member3'].map(start));
  const product = stack.use(await startProduct({ controlPlane: controlPlane! }));
  for (const member of members) {
    await product.join(member);
    await fillWithPods(member, 'small', Math.ceil(perMember / 10));
    await fillWithPods(member, 'large', perMember);
    await fillWithPods(member, 'as-large', perMember);
  }
  const through = stack.use(createReader(product.server, product.ca, product.admin));
  const direct = members.map(({ server, ca, admin }) => stack.use(createReader(server, ca, admin)));
  const pods = (namespace: string) => `/api/v1/namespaces/${namespace}/pods`;

  const megabytes = (await through.read(pods('large'))) / 1e6;
  console.log(`list of 3 x ${perMember} pods, ${megabytes.toFixed(0)} MB as objects, ${rounds} rounds`);
  for (const [form, accept] of [
    ['objects', 'application/json'],
    ['Table', tableAccept],
  ] as const) {
    await compare(
      {
        name: `vanilla list, ${form}, against the slowest of three direct lists at once`,
        ours: () => timed(() => through.read(pods('large'), accept)),
        alternative: () => timed(() => Promise.all(direct.map((reader) => reader.read(pods('large'), accept)))),
      },
      rounds,
    );
  }
  // Small, large, and all of them: memory must not grow with a list's size.
  for (const path of [pods('small'), pods('large'), '/api/v1/pods']) {
    let size = 0;
    let cpu = 0;
    const { before, peak } = await peakGrowth(product.pid, async () => {
      cpu = await cpuTime(product.pid, async () => {
        for (let round = 0; round < memoryRounds; round++) size = await through.read(path);
      });
    });
    console.log(
      `lists of ${(size / 1e6).toFixed(0)} MB: ${(cpu / memoryRounds).toFixed(0)} ms of the product's CPU each; ` +
        `memory ${before.toFixed(0)} MiB before, at most ${peak.toFixed(0)} MiB`,
    );
  }
}

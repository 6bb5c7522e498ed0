/** Lists over one, three and ten members: against as many direct lists at once, and against kubectl asking one after the other; the memory that many clients take. */

import { type Member, startMember } from '@fleet/bed/member.ts';
import { type Product, startProduct } from '@fleet/bed/product.ts';
import { peakGrowth } from './memory.ts';
import { fillWithPods } from './pods.ts';
import { compare } from './ratio.ts';
import { createReader, type Reader, tableAccept } from './reader.ts';

/** Of each member and namespace. */
const perMember = Number(process.env['BENCH_PODS'] ?? 1_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 11);
const sizes = (process.env['BENCH_MEMBERS'] ?? '1,3,10').split(',').map(Number);

/** A loop over ten takes long, and its parts even out. */
const kubectlRounds = Math.min(rounds, 3);

/** So that all together are thirty thousand pods of ten members. */
const namespaces = ['first', 'second', 'third'];
const clients = 16;

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

export async function benchMembers(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const start = async (name: string) => stack.use(await startMember({ name, nodes: 0 }));
  const controlPlane = await start('control-plane');
  const product = stack.use(await startProduct({ controlPlane }));
  const members: Member[] = [];
  // One after the other: a dozen API servers that start at once miss their deadlines on two cores.
  for (let number = 1; number <= Math.max(...sizes); number++) {
    const member = await start(`member${String(number).padStart(2, '0')}`);
    for (const namespace of namespaces) await fillWithPods(member, namespace, perMember);
    await product.join(member);
    members.push(member);
  }
  const through = stack.use(createReader(product.server, product.ca, product.admin));
  const direct = members.map(({ server, ca, admin }) => stack.use(createReader(server, ca, admin)));

  console.log(`members of ${perMember} pods in each of ${namespaces.length} namespaces, ${rounds} rounds`);
  for (const size of sizes) await compareLists(members.slice(0, size), through, direct.slice(0, size));
  await measureMemory(product, through);
  for (const size of sizes) await compareKubectl(members.slice(0, size), product);
}

const choosing = (members: readonly Member[]): string =>
  `clusterspace in (${members.map(({ name }) => name).join(',')})`;

const pods = '/api/v1/namespaces/first/pods';

async function compareLists(members: readonly Member[], through: Reader, direct: readonly Reader[]): Promise<void> {
  const chosen = `${pods}?labelSelector=${encodeURIComponent(choosing(members))}`;
  for (const [form, accept] of [
    ['objects', 'application/json'],
    ['Table', tableAccept],
  ] as const) {
    await compare(
      {
        name: `${members.length} members, ${form}, against the slowest of ${members.length} direct lists at once`,
        ours: () => timed(() => through.read(chosen, accept)),
        alternative: () => timed(() => Promise.all(direct.map((reader) => reader.read(pods, accept)))),
      },
      rounds,
    );
  }
}

/** As people do it without us: a loop over contexts. */
async function compareKubectl(members: readonly Member[], product: Product): Promise<void> {
  const get = ['get', 'pods', '-n', 'first'];
  const succeeding = async (asked: ReturnType<Product['kubectl']>) => {
    const { code, stderr } = await asked;
    if (code !== 0) throw new Error(`kubectl: exit code ${code}\n${stderr}`);
  };
  await compare(
    {
      name: `${members.length} members, kubectl get pods, against a loop of kubectl over them`,
      ours: () => timed(() => succeeding(product.kubectl(...get, '-l', choosing(members)))),
      alternative: () =>
        timed(async () => {
          for (const member of members) await succeeding(member.kubectl(...get));
        }),
    },
    kubectlRounds,
  );
}

async function measureMemory(product: Product, reader: Reader): Promise<void> {
  const list = '/api/v1/pods';
  const megabytes = (await reader.read(list)) / 1e6;
  const { before, peak } = await peakGrowth(product.pid, () =>
    Promise.all(Array.from({ length: clients }, () => reader.read(list))),
  );
  console.log(
    `${clients} clients at once, each a list of ${megabytes.toFixed(0)} MB of all pods: ` +
      `memory ${before.toFixed(0)} MiB before, at most ${peak.toFixed(0)} MiB`,
  );
}

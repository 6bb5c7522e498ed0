/**
 * One member through the product: dialled directly, through the product's agent, through konnectivity and through chisel, in turns.
 * Requests, bytes, and a small get beside lists. `BENCH_ROUNDS`, `BENCH_REQUESTS`, `BENCH_OBJECTS` and `BENCH_OTHERS` make it smaller.
 */

import { cpus, loadavg } from 'node:os';
import { type Job, type Load, startLoadGenerator } from './load.ts';
import { cpuTime } from './memory.ts';
import { inTurns, quantile, ratios, spread } from './ratio.ts';
import { list, small } from './tunnel/member.ts';
import { startTransports, type Transports } from './tunnel/transports.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 7);
/** Of one round, with the most connections. */
const requests = Number(process.env['BENCH_REQUESTS'] ?? 4_000);
/** Of 9.7 kB, in the list: 5 MB. */
const objects = Number(process.env['BENCH_OBJECTS'] ?? 500);
const others = (process.env['BENCH_OTHERS'] ?? 'konnectivity,chisel').split(',');
const bulkLists = 8;

const rate = ({ latencies, seconds }: Load): number => latencies.length / seconds;
const megabytes = ({ bytes, seconds }: Load): number => bytes / 1e6 / seconds;
const median = (numbers: readonly number[]): number => quantile(numbers, 0.5);

/** CPU in milliseconds: of the product, and of the agent where there is one. */
type Measured = Load & { product: number; agent: number };

export async function benchTunnel(): Promise<void> {
  console.log(`${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}; ${rounds} rounds`);
  await using stack = new AsyncDisposableStack();
  const transports = stack.use(await startTransports(others, { objects, size: 9_700 }));
  const [load, bulk] = [stack.use(startLoadGenerator()), stack.use(startLoadGenerator())];
  const job = (name: string, path: string, amount: Pick<Job, 'connections' | 'requests'>): Job => ({
    origin: transports.product.spec.origin,
    tls: transports.product.tls,
    path: `/clusters/${name}${path}`,
    ...amount,
  });
  const each = (measure: (name: string) => Promise<Load>) =>
    inTurns(
      Object.fromEntries(transports.names.map((name) => [name, () => withCpu(transports, name, measure)])),
      rounds,
    );

  for (const connections of [1, 16, 64]) {
    const amount = { connections, requests: Math.ceil(requests / (connections === 1 ? 4 : 1)) };
    const taken = await each((name) => load.run(job(name, small, amount)));
    print(`small GET, ${connections} connections`, 'requests/s', taken, rate, connections === 1 ? undefined : 0.8);
  }
  for (const connections of [1, 8]) {
    const amount = { connections, requests: Math.max(connections, Math.ceil(requests / 100)) };
    const taken = await each((name) => load.run(job(name, list, amount)));
    print(`list, ${connections} connections`, 'MB/s', taken, megabytes, 0.6);
  }
  const taken = await each(async (name) => {
    let isOver = false;
    const lists = async () => {
      while (!isOver) await bulk.run(job(name, list, { connections: bulkLists, requests: bulkLists }));
    };
    const listing = lists();
    const gets = await load.run(job(name, small, { connections: 1, requests: Math.ceil(requests / 20) }));
    isOver = true;
    await listing;
    return gets;
  });
  printBeside(taken);
}

async function withCpu({ product, agents }: Transports, name: string, measure: (name: string) => Promise<Load>) {
  let load!: Load;
  let ofProduct = 0;
  const work = async () => {
    ofProduct = await cpuTime(product.pids, async () => {
      load = await measure(name);
    });
  };
  const pid = agents[name];
  const agent = pid === undefined ? await work().then(() => 0) : await cpuTime(pid, work);
  return { ...load, product: ofProduct, agent } satisfies Measured;
}

type Taken = Record<string, Measured[]>;

/** `aim`: of the product's agent, over direct. */
function print(what: string, unit: string, taken: Taken, value: (load: Load) => number, aim: number | undefined): void {
  const direct = taken['direct']!.map(value);
  console.log(`${what}: direct ${spread(direct)} ${unit}, ${cpuText(taken['direct']!)}`);
  for (const [name, loads] of Object.entries(taken)) {
    if (name === 'direct') continue;
    const compared = ratios(loads.map(value), direct);
    const met =
      name !== 'agent' || aim === undefined ? '' : `; aim ${aim}, ${median(compared) >= aim ? 'met' : 'missed'}`;
    console.log(
      `  ${name}: ${spread(loads.map(value))} ${unit}, over direct ${spread(compared, 2)}, ${cpuText(loads)}${met}`,
    );
  }
}

/** Of one request. */
function cpuText(loads: readonly Measured[]): string {
  const each = (of: 'product' | 'agent') => median(loads.map((one) => one[of] / one.latencies.length)).toFixed(2);
  return `CPU of one: product ${each('product')} ms, agent ${each('agent')} ms`;
}

function printBeside(taken: Taken): void {
  const most = 60;
  for (const [name, loads] of Object.entries(taken)) {
    const [p50, p99] = [0.5, 0.99].map((at) => loads.map(({ latencies }) => quantile(latencies, at)));
    const met = name === 'agent' ? `; aim for p50 under ${most} ms, ${median(p50!) < most ? 'met' : 'missed'}` : '';
    console.log(
      `small GET beside ${bulkLists} lists at a time, ${name}: p50 ${spread(p50!, 1)} ms, p99 ${spread(p99!, 1)} ms${met}`,
    );
  }
}

/** One member through the product, through nginx and directly: requests, bytes, added latency. */

import { type Member, startMember } from '@fleet/bed/member.ts';
import { startProduct } from '@fleet/bed/product.ts';
import { memberProxy } from '@fleet/suites/fleet.ts';
import { type Job, type Load, startLoadGenerator } from './load.ts';
import { startNginx } from './nginx.ts';
import { inTurns, quantile, ratios, spread } from './ratio.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 7);
const small = '/api/v1/namespaces/default/configmaps/small';
const list = '/api/v1/namespaces/large/configmaps';

async function fill({ api }: Member): Promise<void> {
  const post = (path: string, body: unknown) => api.object(path, { method: 'POST', body });
  await post('/api/v1/namespaces', { metadata: { name: 'large' } });
  await post('/api/v1/namespaces/default/configmaps', { metadata: { name: 'small' }, data: { key: 'value' } });
  const data = { text: 'x'.repeat(9_700) };
  for (let i = 0; i < 500; i++) await post(list, { metadata: { name: `large-${i}` }, data });
}

const rate = ({ latencies, seconds }: Load): number => latencies.length / seconds;
const megabytes = ({ bytes, seconds }: Load): number => bytes / 1e6 / seconds;

export async function benchProxy(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const start = async (name: string) => stack.use(await startMember({ name, nodes: 0 }));
  const [controlPlane, member] = await Promise.all([start('control-plane'), start('member1')]);
  const product = stack.use(await startProduct({ controlPlane }));
  const nginx = stack.use(await startNginx(member));
  const load = stack.use(startLoadGenerator());
  await product.join(member);
  await fill(member);

  const sides = {
    ours: { origin: product.server, base: memberProxy(member.name), tls: { ca: product.ca, ...product.admin } },
    nginx: { origin: nginx.server, base: '', tls: { ca: nginx.ca } },
    direct: { origin: member.directServer, base: '', tls: { ca: member.ca, ...member.admin } },
  };
  const measure = (path: string, amount: Pick<Job, 'connections' | 'requests'>) => {
    const run = ({ origin, base, tls }: (typeof sides)[keyof typeof sides]) =>
      load.run({ origin, tls, path: base + path, ...amount });
    return inTurns(
      { ours: () => run(sides.ours), nginx: () => run(sides.nginx), direct: () => run(sides.direct) },
      rounds,
    );
  };

  console.log(`ours, nginx and direct in turns, ${rounds} rounds, median (and 0.1 to 0.9)`);
  for (const connections of [1, 16, 256]) {
    const taken = await measure(small, { connections, requests: connections === 1 ? 500 : 2_500 });
    print('small GET', connections, 'requests/s', taken, rate);
    if (connections === 1) printAdded(taken);
  }
  for (const connections of [1, 16, 256]) {
    const taken = await measure(list, { connections, requests: Math.max(16, connections) });
    print('5 MB list', connections, 'MB/s', taken, megabytes);
  }
}

type Taken = Record<'ours' | 'nginx' | 'direct', Load[]>;

function print(what: string, connections: number, unit: string, taken: Taken, value: (load: Load) => number): void {
  const { ours, nginx, direct } = {
    ours: taken.ours.map(value),
    nginx: taken.nginx.map(value),
    direct: taken.direct.map(value),
  };
  console.log(
    `${what}, ${connections} connections: ours ${spread(ours)} ${unit}, nginx ${spread(nginx)}, direct ${spread(direct)}; ` +
      `ours/nginx ${spread(ratios(ours, nginx), 2)}, ours/direct ${spread(ratios(ours, direct), 2)}`,
  );
}

/** Over direct, of each round's own quantiles. */
function printAdded({ ours, nginx, direct }: Taken): void {
  for (const at of [0.5, 0.99]) {
    const added = (side: Load[]) =>
      side.map(({ latencies }, round) => quantile(latencies, at) - quantile(direct[round]!.latencies, at));
    console.log(`added latency p${at * 100}: ours ${spread(added(ours), 2)} ms, nginx ${spread(added(nginx), 2)} ms`);
  }
}

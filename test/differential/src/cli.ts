/** `node test/differential/src/cli.ts --left KUBECONFIG[:prefix] --right KUBECONFIG[:prefix] [--seed N] [--count N]` */
import { parseArgs } from 'node:util';
import { type Endpoint, endpointOfKubeconfig } from './endpoint.ts';
import { describeDifference, describeReport } from './report.ts';
import { runDifferential } from './run.ts';
import { readTolerated } from './tolerance.ts';

const usage = `usage: cli.ts --left KUBECONFIG[:prefix] --right KUBECONFIG[:prefix]
  --seed N        another one each time unless given; printed
  --count N       how many requests (1000)
  --replay K      only the lane of request K, up to it, and shows both answers
  --lanes N       namespaces worked in at once (4); part of what a seed means
  --bytes         compare the text of bodies, for a server that passes another's answers on
  --suite NAME    tolerate the lines of this suite in docs/reference/differences.md`;

const { values } = parseArgs({
  options: {
    left: { type: 'string' },
    right: { type: 'string' },
    seed: { type: 'string' },
    count: { type: 'string', default: '1000' },
    replay: { type: 'string' },
    lanes: { type: 'string', default: '4' },
    bytes: { type: 'boolean', default: false },
    suite: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

/** `member.kubeconfig:/clusters/m1`: the prefix starts with a slash, so paths may hold colons. */
function endpoint(argument: string): Promise<Endpoint> {
  const [, path = argument, prefix = ''] = /^(.*?):(\/.*)$/.exec(argument) ?? [];
  return endpointOfKubeconfig(path, prefix);
}

if (values.help || values.left === undefined || values.right === undefined) {
  console.log(usage);
  process.exit(values.help ? 0 : 2);
}

const seed = values.seed ?? String(Math.floor(Math.random() * 1_000_000));
const replay = values.replay === undefined ? undefined : Number(values.replay);
const differences = new URL('../../../docs/reference/differences.md', import.meta.url).pathname;
console.log(`seed ${seed}`);

const report = await runDifferential({
  left: { endpoint: await endpoint(values.left) },
  right: { endpoint: await endpoint(values.right) },
  seed,
  count: Number(values.count),
  lanes: Number(values.lanes),
  bytes: values.bytes,
  ...(replay !== undefined && { replay }),
  ...(values.suite !== undefined && { tolerated: await readTolerated(differences, values.suite) }),
  onOutcome: (outcome, { requests, differences }) => {
    if (outcome.deltas.length > 0 || outcome.status === 0 || outcome.number === replay) {
      const text = describeDifference({ ...outcome, left: outcome.left(), right: outcome.right() });
      console.log(`${text}\n`);
    } else if (process.stderr.isTTY && requests % 20 === 0) {
      process.stderr.write(`\r${requests} requests, ${differences.length} differences `);
    }
  },
});

if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
console.log(describeReport(report));
// a replay is a part of a run: what is listed need not occur in it
const stale = replay === undefined ? report.stale.length : 0;
process.exitCode = report.differences.length + stale > 0 ? 1 : 0;

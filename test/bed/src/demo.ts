/** `npm run demo:real`: two real clusters, the product over them, and commands to try. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { build } from './build.ts';
import { type DemoCommand, demoCommands } from './demo-commands.ts';
import { binariesOf, type Member, startMember } from './member.ts';
import { type Product, startProduct } from './product.ts';
import { shellFolder } from './shell-folder.ts';

const help = `Starts two real clusters and the product over them, and prints commands to try.

  --exit-after-check  run each printed command, show its output, and exit: 0 if all work
  -h, --help
`;

/** The variables that the printed commands need. */
interface Shell {
  KUBECONFIG: string;
  /** Put before what is in PATH. */
  folder: string;
}

const log = (words: string) => process.stderr.write(`${words}\n`);

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { 'exit-after-check': { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const { signal, stopped } = interrupted();
  await using running = new AsyncDisposableStack();
  const product = await startAll(running, signal);
  const shell = { KUBECONFIG: product.adminKubeconfig, folder: await shellFolder(join(product.dataDir, '..')) };
  const commands = demoCommands(product.server);
  print(shell, commands);
  if (values['exit-after-check']) return await check(shell, commands);
  log('\nCtrl-C takes everything down.');
  const died = await Promise.race([stopped, product.ended]);
  if (died) log(`demo: ${died.message}`);
  else log('\ndemo: taking everything down');
  return died ? 1 : 0;
}

/** What is half started must be whole before it can be taken down, so the signal counts between the steps. */
async function startAll(running: AsyncDisposableStack, signal: AbortSignal): Promise<Product> {
  await build([...binariesOf('newest', 2), ...binariesOf('older', 2)]);
  signal.throwIfAborted();
  log('demo: starting a control plane and two clusters');
  const keep = async (starting: Promise<Member>) => running.use(await starting);
  const settled = await Promise.allSettled([
    keep(startMember({ name: 'control-plane', nodes: 0 })),
    keep(startMember({ name: 'member1', version: 'newest', workloads: true })),
    keep(startMember({ name: 'member2', version: 'older', workloads: true })),
  ]);
  const [controlPlane, ...members] = settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
  signal.throwIfAborted();
  log('demo: starting the product');
  const product = running.use(await startProduct({ controlPlane: controlPlane! }));
  signal.throwIfAborted();
  log('demo: joining the clusters');
  await Promise.all(members.map((member) => product.join(member)));
  signal.throwIfAborted();
  return product;
}

/** The first Ctrl-C asks for the end; the second one ends the process, and the watchdog clears up. */
function interrupted(): { signal: AbortSignal; stopped: Promise<undefined> } {
  const controller = new AbortController();
  const { promise: stopped, resolve } = Promise.withResolvers<undefined>();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      controller.abort(new Error('stopped before it was up'));
      resolve(undefined);
    });
  }
  return { signal: controller.signal, stopped };
}

function print({ KUBECONFIG, folder }: Shell, commands: readonly DemoCommand[]): void {
  const lines = commands.map(({ why, line }) => `# ${why}\n${line}`);
  const exports = `export KUBECONFIG=${KUBECONFIG}\nexport PATH=${folder}:$PATH`;
  process.stdout.write(`\nThe fleet is up. In another terminal:\n\n${exports}\n\n${lines.join('\n\n')}\n`);
}

/** Runs what was printed; all of it, so that one run reports all that is broken. */
async function check({ KUBECONFIG, folder }: Shell, commands: readonly DemoCommand[]): Promise<number> {
  const failed: string[] = [];
  const env = {
    ...process.env,
    KUBECONFIG,
    PATH: `${folder}${delimiter}${process.env.PATH}`,
    KUBECACHEDIR: `${folder}/cache`,
  };
  for (const { line, shows } of commands) {
    const child = spawn('sh', ['-c', line], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [[code], out, error] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
    process.stdout.write(`\n$ ${line}\n${out}${error}`);
    const missing = shows.filter((shown) => !shown.test(out));
    if (code === 0 && missing.length === 0) continue;
    failed.push(line);
    process.stdout.write(
      `FAILED: exit code ${code}${missing.length > 0 ? `, and the output does not show ${missing.join(' ')}` : ''}\n`,
    );
  }
  log(failed.length === 0 ? '\ndemo: all commands work' : `\ndemo: ${failed.length} of ${commands.length} failed`);
  return failed.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  log(`demo: ${(error as Error).message}`);
  process.exitCode = 1;
}

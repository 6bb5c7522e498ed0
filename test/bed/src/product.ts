/** The product as a real process on the bed: started by its own command line, reached by kubectl. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { areAgentsUsed, ProductAgents } from './agents/product-agents.ts';
import { Api } from './api.ts';
import { kubernetes, type VersionName } from './binaries.ts';
import { build } from './build.ts';
import { cacheEverything, tallyAnswers, untilAllFilled } from './cached/cached-product.ts';
import { cacheFlags, isCached } from './cached/everything.ts';
import { Child } from './child.ts';
import { clear } from './clear.ts';
import { type Carrier, EmbeddedControlPlane } from './embedded-control-plane.ts';
import { type KubeconfigParts, kubeconfig } from './kubeconfig.ts';
import { type Kubectl, type KubectlOptions, type KubectlResult, runKubectl, startKubectl } from './kubectl.ts';
import type { Member } from './member.ts';
import { asMutant, type Mutant } from './mutant.ts';
import { loadAuthority, type Pair } from './pki.ts';
import { freePort, givePortBack } from './ports.ts';
import { markedEnv } from './run-mark.ts';
import { until } from './until.ts';
import { releaseRun, watchRun } from './watched.ts';

export interface ProductOptions {
  /** Holds the product's own objects. */
  controlPlane: Member;
  /** Kept at the end if given; else a folder of its own that goes with it. */
  dataDir?: string;
  /** With an embedded control plane: the first product's, by its address, instead of a copy of its own. */
  sharesControlPlane?: boolean;
  /** Default: a free port on loopback. */
  listen?: string;
  /** More flags of `fleet serve`. */
  flags?: readonly string[];
  /** Plants a known bug. */
  mutant?: Mutant;
  /** Flags of Node itself. */
  nodeFlags?: readonly string[];
  /** Members may be unreachable: with every kind registered, or with agents, it is not waited for what is in them. */
  allowsUnfilled?: boolean;
}

export interface ProductKubectlOptions extends KubectlOptions {
  /** Another user's, of `userKubeconfig`. */
  kubeconfig?: string;
  /** Path behind the product's address, such as `/clusterspaces/member1`. */
  at?: string;
  /** Another kubectl than the newest; one that a member of the same bed has. */
  version?: VersionName;
}

export interface Product extends AsyncDisposable {
  readonly server: string;
  /** PEM. */
  readonly ca: string;
  /** The client certificate of `fleet:admin`. */
  readonly admin: Pair;
  /** Path. */
  readonly adminKubeconfig: string;
  readonly dataDir: string;
  /** Path; what the process wrote. */
  readonly log: string;
  readonly pid: number;
  /** Settles when the process ends, with how and its last words. */
  readonly ended: Promise<Error>;
  /** Asks the product as its admin. */
  readonly api: Api;
  signal(signal: NodeJS.Signals): void;
  /** Runs the command line against this product; never throws for its exit code. */
  fleet(...args: (string | KubectlOptions)[]): Promise<KubectlResult>;
  /** Runs `fleet join`; throws if it fails. */
  join(member: Member, name?: string, ...flags: string[]): Promise<void>;
  /** kubectl, as the admin unless another kubeconfig is given. */
  kubectl(...args: (string | ProductKubectlOptions)[]): Promise<KubectlResult>;
  /** The same for commands that go on, such as port-forward. */
  startKubectl(options: ProductKubectlOptions, ...args: string[]): Kubectl;
  /** Writes a kubeconfig for a user with a certificate of the product's CA, and returns its path. */
  userKubeconfig(user: string, groups?: readonly string[], at?: string): Promise<string>;
  /** The same for whoever the token belongs to. */
  tokenKubeconfig(token: string): Promise<string>;
}

export const fleetCommand = join(import.meta.dirname, '../../../packages/cli/src/fleet.mjs');

export async function startProduct(options: ProductOptions): Promise<Product> {
  await build([kubernetes('kubectl')]);
  const dir = await mkdtemp(join(tmpdir(), 'fleet-bed-product-'));
  const run = randomUUID();
  watchRun(run, dir);
  try {
    return await start(options, dir, run);
  } catch (error) {
    await clear(run, dir);
    releaseRun(run);
    throw error;
  }
}

async function start(options: ProductOptions, dir: string, run: string): Promise<Product> {
  const { controlPlane } = options;
  const embedded = controlPlane instanceof EmbeddedControlPlane ? controlPlane : undefined;
  const own = join(dir, 'data');
  const place = embedded
    ? await embedded.placeFor(options, own)
    : { dataDir: options.dataDir ?? own, flags: ['--control-plane', controlPlane.kubeconfig], nodeFlags: [], env: {} };
  const { dataDir } = place;
  const port = options.listen ? undefined : await freePort();
  const listen = options.listen ?? `127.0.0.1:${port}`;
  await Promise.all(['logs', 'kubeconfig'].map((folder) => mkdir(join(dir, folder))));
  const served = [...place.flags, '--listen', listen, '--data-dir', dataDir, ...(options.flags ?? [])];
  const mutant = options.mutant ? asMutant(options.mutant) : { nodeFlags: [], env: {} };
  const nodeFlags = [...mutant.nodeFlags, ...place.nodeFlags, ...(options.nodeFlags ?? [])];
  const child = new Child({
    name: 'fleet-serve',
    path: process.execPath,
    args: [...nodeFlags, fleetCommand, 'serve', ...served],
    folder: dir,
    run,
    env: { ...mutant.env, ...place.env },
  });
  const server = `https://${listen.replace(/^(0\.0\.0\.0)?:/, '127.0.0.1:')}`;
  const { api, ca, admin } = await until('the product is ready', () => connect(server, dataDir), {
    failed: child.ended,
  });
  const adminKubeconfig = join(dataDir, 'admin.kubeconfig');
  const spec = { version: 'newest', kubeconfig: adminKubeconfig, folder: dir, run } as const;
  const write = async (user: string, credential: KubeconfigParts['credential'], at = ''): Promise<string> => {
    const path = join(dir, 'kubeconfig', `${encodeURIComponent(user)}-${randomUUID().slice(0, 8)}`);
    const config = kubeconfig({ cluster: 'fleet', server: `${server}${at}`, ca, user, credential });
    await writeFile(path, config, { mode: 0o600 });
    return path;
  };
  const fleet: Product['fleet'] = (...args) => runFleet(adminKubeconfig, dir, run, args);

  const ownView = '/clusterspaces/karmada';
  const controlPlaneApi = new Api(`${server}${ownView}`, ca, admin);
  const controlPlaneKubeconfig = await write('control-plane', admin, ownView);
  const agents = areAgentsUsed
    ? new ProductAgents({
        command: fleetCommand,
        controlPlane,
        server,
        pid: child.pid,
        product: api,
        api: controlPlaneApi,
        fleet,
        hasFixedAddress: options.listen !== undefined,
      })
    : undefined;
  const product: Product & Carrier = {
    server,
    ca,
    admin,
    adminKubeconfig,
    dataDir,
    log: child.logPath,
    pid: child.pid,
    ended: child.ended,
    api,
    signal: (signal) => child.signal(signal),
    fleet,
    async join(member, name = member.name, ...flags) {
      const all = isCached ? [...cacheFlags, ...flags] : flags;
      if (agents) await agents.join(member, name, all);
      else {
        const { code, stderr } = await fleet('join', name, '--kubeconfig', member.kubeconfig, ...all);
        if (code !== 0) throw new Error(`fleet join ${name}: exit code ${code}\n${stderr}`);
      }
      if (isCached) await cacheEverything(product, controlPlane, member, name);
    },
    kubectl(...args) {
      const chosen = Object.assign({}, ...args.filter((arg) => typeof arg !== 'string')) as ProductKubectlOptions;
      const { kubeconfig = adminKubeconfig, at, version = 'newest' } = chosen;
      return runKubectl({ ...spec, kubeconfig, version }, at ? ['--server', `${server}${at}`, ...args] : args);
    },
    startKubectl: ({ at, kubeconfig = adminKubeconfig, version = 'newest', ...rest }: ProductKubectlOptions, ...args) =>
      startKubectl({ ...spec, kubeconfig, version }, at ? ['--server', `${server}${at}`, ...args] : args, rest),
    controlPlaneApi,
    controlPlaneKubeconfig,
    async userKubeconfig(user, groups = [], at = '') {
      const pki = join(dataDir, 'pki');
      const [cert, key] = await Promise.all(['ca.crt', 'ca.key'].map((file) => readFile(join(pki, file), 'utf8')));
      const authority = await loadAuthority({ cert: cert!, key: key! });
      const pair = await authority.issue({ name: user, groups });
      return write(user, pair, at);
    },
    tokenKubeconfig: (token) => write('token', { token }),
    async [Symbol.asyncDispose]() {
      if (isCached && child.running) await tallyAnswers(product);
      await agents?.tally(child.running);
      api[Symbol.dispose]();
      controlPlaneApi[Symbol.dispose]();
      await Promise.race([child.end('SIGTERM'), new Promise((resolve) => setTimeout(resolve, 10_000).unref())]);
      await agents?.end();
      await clear(run, dir);
      releaseRun(run);
      if (port) givePortBack(port);
    },
  };
  embedded?.attach(product);
  await agents?.startAll({ allowsUnreachable: options.allowsUnfilled ?? false });
  if (isCached && !options.allowsUnfilled) await untilAllFilled(product, controlPlane);
  return product;
}

/** Its CA and the admin's certificate lie in its folder as soon as it has made them; the kubeconfig comes last. */
async function connect(server: string, dataDir: string) {
  const written = await readFile(join(dataDir, 'admin.kubeconfig'), 'utf8');
  // one of an earlier run, until it is written anew
  if (!written.includes(new URL(server).port)) return undefined;
  const read = (file: string) => readFile(join(dataDir, 'pki', file), 'utf8');
  const ca = await read('ca.crt');
  const admin: Pair = { cert: await read('admin.crt'), key: await read('admin.key') };
  const api = new Api(server, ca, admin);
  try {
    const { code, body } = await api.ask('/readyz', { timeout: 2_000 });
    if (code === 200) return { api, ca, admin };
    throw new Error(`/readyz answered ${code}: ${body}`);
  } catch (error) {
    api[Symbol.dispose]();
    throw error;
  }
}

async function runFleet(
  adminKubeconfig: string,
  dir: string,
  run: string,
  mixed: readonly (string | KubectlOptions)[],
): Promise<KubectlResult> {
  const args = mixed.filter((argument) => typeof argument === 'string');
  const { stdin, cwd } = Object.assign({}, ...mixed.filter((option) => typeof option !== 'string')) as KubectlOptions;
  const child = spawn(process.execPath, [fleetCommand, ...args], {
    cwd: cwd ?? dir,
    env: { ...markedEnv(run), FLEET_KUBECONFIG: adminKubeconfig, NO_COLOR: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => child.stdin.destroy());
  child.stdin.end(stdin);
  const [[code], stdout, stderr] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  return { code: code ?? -1, stdout, stderr };
}

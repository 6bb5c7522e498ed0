/** The command line of the bed: members that go on between commands. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type Binary,
  binaryPath,
  clientGo,
  etcd,
  hostileAgent,
  informers,
  karmadaE2e,
  kubeRules,
  kubernetes,
  kubernetesBinaries,
  kubernetesVersions,
  kubeTypes,
  kwok,
  metricsServer,
  mirror,
  nodeServer,
  serviceDiscovery,
  type VersionName,
} from './binaries.ts';
import { build } from './build.ts';
import { markedPids } from './run-mark.ts';
import { BedState } from './state.ts';
import { type UpOptions, up } from './up.ts';

const help = `Real Kubernetes clusters on loopback.

  bed up      start members, and leave them running
  bed down    end them; nothing is left: no process, port or file
  bed status  list what runs; exit code 1 unless all do
  bed build   build the binaries into the cache, and print where they are

Options
  --members N      up: how many (default 2)
  --nodes N        up: nodes of each (default 2; 0: a bare control plane)
  --workloads      up: with a few deployments, pods and a custom resource
  --versions LIST  up, build: newest, older or v1.x.y, given out in turn (default newest)
  --only LIST      build: such as kubectl,etcd,e2e.test (default: what every member needs)
  --pin            build: keep the sums of what was downloaded in the repository
  --dir FOLDER     where the members live (default .bed in the repository)
  -h, --help

Examples
  npm run bed -- up --members 3 --versions newest,older --workloads
  kubectl --kubeconfig .bed/member1/kubeconfig/admin get pods -A
  npm run bed -- build --only e2e.test
  npm run bed -- down
`;

/** Wrong use of the command line: exit code 2 and the help. */
class UsageError extends Error {}

const parsed = (args: string[]) =>
  parseArgs({
    args,
    allowPositionals: true,
    options: {
      members: { type: 'string', default: '2' },
      nodes: { type: 'string', default: '2' },
      versions: { type: 'string', default: 'newest' },
      workloads: { type: 'boolean', default: false },
      only: { type: 'string' },
      pin: { type: 'boolean', default: false },
      dir: { type: 'string', default: join(import.meta.dirname, '..', '..', '..', '.bed') },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });

async function main(args: string[]): Promise<number> {
  const { values, positionals } = parse(args);
  const [command, ...rest] = positionals;
  if (values.help || command === undefined || command === 'help') {
    console.log(help);
    return values.help || command ? 0 : 2;
  }
  if (rest.length > 0) throw new UsageError(`unexpected: ${rest.join(' ')}`);
  const state = new BedState(values.dir);
  const versions = values.versions.split(',').map(version);
  switch (command) {
    case 'up': {
      const { members, nodes, workloads } = values;
      const options: UpOptions = {
        members: count('members', members),
        nodes: count('nodes', nodes),
        versions,
        workloads,
      };
      for (const { name, version, kubeconfig } of await up(state, options)) {
        console.log(`${name}  ${version}  ${kubeconfig}`);
      }
      return 0;
    }
    case 'down':
      await Promise.all((await state.members()).map((member) => state.remove(member)));
      return 0;
    case 'status':
      return status(state);
    case 'build': {
      const binaries = binariesToBuild(values.only, versions);
      await build(binaries, { pin: values.pin });
      for (const binary of binaries) console.log(binaryPath(binary));
      return 0;
    }
    default:
      throw new UsageError(`unknown command: ${command}`);
  }
}

function parse(args: string[]): ReturnType<typeof parsed> {
  try {
    return parsed(args);
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

function count(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new UsageError(`--${name} must be a number, not ${text}`);
  return Number(text);
}

function version(text: string): VersionName {
  if (text in kubernetesVersions || /^v1\.\d+\.\d+$/.test(text)) return text as VersionName;
  throw new UsageError(`--versions knows newest, older and v1.x.y, not ${text}`);
}

const singles = [
  etcd,
  kwok,
  metricsServer,
  nodeServer,
  kubeTypes,
  kubeRules,
  clientGo,
  hostileAgent,
  informers,
  mirror,
  serviceDiscovery,
  karmadaE2e,
];

function binariesToBuild(only: string | undefined, versions: VersionName[]): Binary[] {
  const names = only?.split(',') ?? [
    'etcd',
    'kwok',
    'node-server',
    ...kubernetesBinaries.filter((n) => n !== 'e2e.test'),
  ];
  return names.flatMap((name) => {
    const single = singles.find((binary) => binary.name === name);
    if (single) return [single];
    const selected = kubernetesBinaries.find((binary) => binary === name);
    if (!selected) throw new UsageError(`--only does not know ${name}`);
    return versions.map((version) => kubernetes(selected, version));
  });
}

async function status(state: BedState): Promise<number> {
  const members = await state.members();
  const running = await Promise.all(members.map(async ({ run }) => (await markedPids(run)).length));
  members.forEach(({ name, version, kubeconfig }, index) => {
    const processes = running[index] ?? 0;
    console.log(`${name}  ${version}  ${processes > 0 ? `${processes} processes` : 'gone'}  ${kubeconfig ?? 'not up'}`);
  });
  if (members.length === 0) console.log('no members');
  return members.length > 0 && running.every((processes) => processes > 0) ? 0 : 1;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof UsageError ? `${error.message}\n\n${help}` : `bed: ${(error as Error).message}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

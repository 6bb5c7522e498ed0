/** Defines the commands, their flags and their help. The code of a command is loaded when it is called. */

import { flagOf, type Setting, settingNames, settings, variableOf } from '@fleet/server/config/settings.ts';
import { Command, InvalidArgumentError, Option } from 'commander';
import { addAgent } from './agent-commands.ts';
import { clientVersion } from './client-version.ts';
import { examples, fleetKubeconfig, output } from './command-options.ts';
import type { DemoFlags } from './commands/demo.ts';
import type { DescribeFlags } from './commands/describe-cluster.ts';
import type { JoinFlags } from './commands/join.ts';
import type { KubeconfigFlags } from './commands/kubeconfig.ts';
import type { UnjoinFlags } from './commands/unjoin.ts';
import type { UseFlags } from './commands/use.ts';
import type { VersionFlags } from './commands/version.ts';
import { addCompletion } from './completion-commands.ts';
import { addCordon, addFederation, addUncordon } from './federation-commands.ts';
import { addExec, addGet, addLogs } from './object-commands.ts';
import { addExplore, addPromote, addSchedule, addTree } from './propagation-commands.ts';
import { addCreate } from './user-commands.ts';

function parseBoolean(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new InvalidArgumentError('Use true or false.');
}

export function createProgram(): Command {
  const program = new Command('fleet')
    .description('One Kubernetes API over many clusters.')
    // `fleet agent` has options, and so have the commands below it, some of the same name.
    .enablePositionalOptions()
    .version(clientVersion, '-v, --version', 'print the version of this command')
    .addHelpText(
      'after',
      examples(
        '$ fleet demo',
        '$ fleet serve',
        '$ fleet join member1 --kubeconfig member1.kubeconfig',
        '$ kubectl --kubeconfig fleet-data/admin.kubeconfig get pods -A',
      ),
    );
  addDemo(program);
  addServe(program);
  addJoin(program);
  addUnjoin(program);
  addCordon(program);
  addUncordon(program);
  addFederation(program);
  addTree(program);
  addSchedule(program);
  addExplore(program);
  addPromote(program);
  addAgent(program);
  addGet(program);
  addLogs(program);
  addExec(program);
  addDescribe(program);
  addUse(program);
  addCreate(program);
  addKubeconfig(program);
  addVersion(program);
  addCompletion(program);
  return program;
}

function addDemo(program: Command): void {
  program
    .command('demo')
    .description('Try it: a fleet of simulated clusters with a small shop on them, and a tour to paste.')
    .option('--clusters <number>', 'how many clusters, 3 to 500; the same ones for the same seed')
    .option('--pods <number>', 'additional inert pods, over all clusters')
    .option('--keep <folder>', 'keep the fleet and its clusters in this folder, and start them again the next time')
    .option('--listen <address>', 'address and port of the fleet, instead of any free port of 127.0.0.1')
    .option('--seed <number>', 'seed for names, regions, logs and delays')
    .option('--federation', 'with a Deployment that is propagated to all clusters, and a tour of that')
    .option('--exit-after-check', 'run the commands of the tour, show what they print, and exit: 0 if all work')
    .addHelpText(
      'after',
      examples(
        '$ fleet demo',
        '# something larger',
        '$ fleet demo --clusters 50 --pods 5000',
        '# one Deployment in three clusters',
        '$ fleet demo --federation',
        '# one that is there again tomorrow',
        '$ fleet demo --keep ./demo --listen 127.0.0.1:8443',
      ),
    )
    .action(async (flags: DemoFlags) => (await import('./commands/demo.ts')).runDemo(flags));
}

function addServe(program: Command): void {
  const command = program
    .command('serve')
    .description('Serve the fleet on one port.')
    .addOption(
      new Option('--config <file>', 'YAML file with settings, named as in "listen: 0.0.0.0:8443"').env('FLEET_CONFIG'),
    );
  for (const name of settingNames) {
    const setting: Setting = settings[name];
    const option = new Option(`${flagOf(name)} ${setting.value}`, setting.about).preset('true').env(variableOf(name));
    command.addOption(setting.default === undefined ? option : option.default(setting.default));
  }
  command
    .addHelpText(
      'after',
      examples(
        '# on the usual port, with everything it keeps in ./fleet-data',
        '$ fleet serve',
        '# for other machines',
        '$ fleet serve --listen 0.0.0.0:8443 --data-dir /var/lib/fleet',
        '# with its objects in an API server that you have',
        '$ fleet serve --control-plane cp.kubeconfig',
        '# settings from a file; a flag or a variable wins over it',
        '$ FLEET_LOG_LEVEL=debug fleet serve --config fleet.yaml',
      ),
    )
    .action(async (flags: Record<string, unknown>) => {
      // Only flags of the command line: the server reads the environment and the file itself.
      const given = Object.entries(flags).filter(([name]) => command.getOptionValueSource(name) === 'cli');
      await (await import('./commands/serve.ts')).runServe(Object.fromEntries(given));
    });
}

function addJoin(program: Command): void {
  program
    .command('join')
    .argument('[name]', 'name of the member in the fleet; not with --contexts')
    .description(
      'Register a cluster, or with --contexts several, as members of the fleet. Running it again repairs what is missing.',
    )
    .option('--kubeconfig <file>', 'kubeconfig of the member, with cluster-admin there')
    .option('--context <context>', 'context of that kubeconfig, if not its current one')
    .option(
      '--contexts <contexts>',
      'join the clusters of these contexts of that kubeconfig, each by the name of its context, or as in name=context',
    )
    .option('--agent', 'reach the member through an agent, which dials the fleet, instead of by a kubeconfig')
    .option('--token-file <file>', "with --agent: where to write the agent's token")
    .option(
      '--endpoint <url>',
      "with --agent: URL whose host the member's certificate is for, if not kubernetes.default.svc",
    )
    .option(
      '--no-bind-admins',
      "do not make the fleet's administrators (group fleet:admins) cluster-admin in the member",
    )
    .option(
      '--cache-kinds <kinds>',
      "resources that the cache may list and watch in the member, as in pods,deployments.apps; '*' for all, Secrets included; none to take that back; without it they stay as they are",
    )
    .option(
      '--federation-kinds <kinds>',
      "resources that federation may read, make, change and delete in the member, beside namespaces, as in configmaps,deployments.apps; '*' for all, which makes the product a cluster-admin of the member in effect; none to take that back; without it they stay as they are",
    )
    .option('--region <region>', 'region the member is in')
    .option('--provider <provider>', 'provider of the member')
    .option('--wait <boolean>', 'wait until the fleet reports the member ready', parseBoolean, true)
    .option(
      '--timeout <duration>',
      'how long to wait for that, such as 90s or 5m; a number alone is one of seconds',
      '60s',
    )
    .addOption(fleetKubeconfig())
    .addHelpText(
      'after',
      examples(
        '$ fleet join member1 --kubeconfig member1.kubeconfig',
        '$ fleet join member2 --kubeconfig ~/.kube/config --context member2 --region eu-west-1',
        '# three at once, one of them by another name than that of its context',
        '$ fleet join --contexts member1,member2,tokyo=admin@tokyo --kubeconfig ~/.kube/config',
        "# without permissions in the member for the fleet's administrators",
        '$ fleet join member3 --kubeconfig member3.kubeconfig --no-bind-admins',
        '# one that the fleet cannot reach',
        '$ fleet join gondor --agent --token-file gondor.token',
        '# so that ResourceRegistries can cache these kinds of it',
        '$ fleet join member1 --kubeconfig member1.kubeconfig --cache-kinds pods,deployments.apps,widgets.example.com',
        '# so that policies can propagate these kinds to it',
        '$ fleet join member1 --kubeconfig member1.kubeconfig --federation-kinds configmaps,secrets,services,deployments.apps',
      ),
    )
    .action(async (name: string | undefined, flags: JoinFlags) =>
      (await import('./commands/join.ts')).runJoin(name, flags),
    );
}

function addUnjoin(program: Command): void {
  program
    .command('unjoin')
    .argument('<name>', 'name of the member in the fleet')
    .description(
      'Remove a member from the fleet, with everything that join made in the member and in the control plane.',
    )
    .option('--kubeconfig <file>', 'kubeconfig of the member; without it the member is reached through the fleet')
    .option('--context <context>', 'context of that kubeconfig, if not its current one')
    .option('--force', 'continue if the member cannot be cleaned up', false)
    .addOption(fleetKubeconfig())
    .addHelpText(
      'after',
      examples(
        '$ fleet unjoin member1',
        '$ fleet unjoin member1 --kubeconfig member1.kubeconfig',
        '# a member that no longer exists',
        '$ fleet unjoin member1 --force',
      ),
    )
    .action(async (name: string, flags: UnjoinFlags) => (await import('./commands/unjoin.ts')).runUnjoin(name, flags));
}

function addDescribe(program: Command): void {
  const describe = program.command('describe').description('Show one object of the fleet in detail.');
  describe
    .command('cluster')
    .argument('<name>', 'name of the member')
    .description('Show a member: health, version, nodes, resources.')
    .addOption(fleetKubeconfig())
    .addHelpText('after', examples('$ fleet describe cluster member1'))
    .action(async (name: string, flags: DescribeFlags) =>
      (await import('./commands/describe-cluster.ts')).runDescribeCluster(name, flags),
    );
  describe
    .command('agent')
    .argument('<name>', 'name of the member')
    .description('Show how a member is reached: its credential, tokens and keys, and which agents are connected.')
    .addOption(fleetKubeconfig())
    .addHelpText('after', examples('$ fleet describe agent gondor'))
    .action(async (name: string, flags: DescribeFlags) =>
      (await import('./commands/describe-agent.ts')).runDescribeAgent(name, flags),
    );
  describe
    .command('registry')
    .argument('<name>', 'name of the ResourceRegistry')
    .description(
      'Show what of the members a ResourceRegistry keeps in the cache: what is filled, how large, how fresh.',
    )
    .addOption(fleetKubeconfig())
    .addHelpText('after', examples('$ fleet describe registry workloads'))
    .action(async (name: string, flags: DescribeFlags) =>
      (await import('./commands/describe-registry.ts')).runDescribeRegistry(name, flags),
    );
}

function addUse(program: Command): void {
  program
    .command('use')
    .argument('<clusterspace>', 'a member, "karmada" for the control plane, or "all" for the whole fleet')
    .description(
      "Switch the fleet's kubeconfig to one clusterspace: adds a context for it and makes it the current one.",
    )
    .addOption(fleetKubeconfig())
    .addHelpText(
      'after',
      examples('$ fleet use member1 && kubectl get nodes', '# back to the whole fleet', '$ fleet use all'),
    )
    .action(async (clusterspace: string, flags: UseFlags) =>
      (await import('./commands/use.ts')).runUse(clusterspace, flags),
    );
}

function addKubeconfig(program: Command): void {
  program
    .command('kubeconfig')
    .description('Print a kubeconfig for the fleet, or for one of its clusters.')
    .option('--cluster <name>', 'only this member; "karmada" for the control plane, "all" for the whole fleet')
    .option('--output <file>', 'write it to this file, which only its owner can read (mode 0600)')
    .addOption(fleetKubeconfig())
    .addHelpText(
      'after',
      examples(
        '$ fleet kubeconfig --output fleet.kubeconfig',
        '$ fleet kubeconfig --cluster member1 --output member1.kubeconfig',
        '$ kubectl --kubeconfig member1.kubeconfig get nodes',
      ),
    )
    .action(async (flags: KubeconfigFlags) => (await import('./commands/kubeconfig.ts')).runKubeconfig(flags));
}

function addVersion(program: Command): void {
  program
    .command('version')
    .description('Print the version of this command, and of the fleet if it can be reached.')
    .addOption(output('json, yaml'))
    .addOption(fleetKubeconfig())
    .addHelpText('after', examples('$ fleet version', '$ fleet version -o json'))
    .action(async (flags: VersionFlags) => (await import('./commands/version.ts')).runVersion(flags));
}

/** Defines `fleet get`, `logs` and `exec`, with their flags and help, for users without kubectl. */

import { type Command, Option } from 'commander';
import { examples, fleetKubeconfig, output } from './command-options.ts';
import type { ExecFlags } from './commands/exec.ts';
import type { GetFlags } from './commands/get.ts';
import type { LogsFlags } from './commands/logs.ts';

const namespace = () =>
  new Option('-n, --namespace <namespace>', 'namespace; of one cluster: default.clusterspace.member1');

const kubectlToo = (command: string) =>
  `\n\nkubectl does this and more with the same kubeconfig: kubectl ${command} --help`;

export function addGet(program: Command): void {
  program
    .command('get')
    .argument(
      '<resource>',
      'clusters, agents, registries, or any other: plural, singular, short name, kind, resource.group, or a list a,b',
    )
    .argument('[names...]', 'only these; of one cluster: x.clusterspace.member1')
    .description(
      'Show the members, their agents, the ResourceRegistries, or objects of all members, in the columns of the server.',
    )
    .option('-A, --all-namespaces', 'of all namespaces')
    .addOption(namespace())
    .option('-l, --selector <selector>', 'only those with these labels, such as app=web,clusterspace=member1')
    .addOption(output('wide, json, yaml, name, jsonpath=TEMPLATE'))
    .option('-w, --watch', 'after the list, print each change')
    .option('--no-headers', 'without the header line')
    .addOption(fleetKubeconfig())
    .addHelpText(
      'after',
      examples(
        '$ fleet get clusters -o wide',
        '# which agents are connected',
        '$ fleet get agents',
        '# what is in the cache',
        '$ fleet get registries',
        '$ fleet get pods -A',
        '$ fleet get deployments,services -n shop',
        '# of two of the clusters, as it changes',
        "$ fleet get pods -n shop -l 'clusterspace in (member1,member2)' -w",
        '$ fleet get pod x.clusterspace.member1 -o yaml',
        '# for scripts: the names of the members',
        "$ fleet get clusters -o jsonpath='{.items[*].metadata.name}'",
      ) + kubectlToo('get'),
    )
    .action(async (resource: string, names: string[], flags: GetFlags) =>
      (await import('./commands/get.ts')).runGet([resource, ...names], flags),
    );
}

export function addLogs(program: Command): void {
  program
    .command('logs')
    .argument('<pod>', 'name of the pod; of one cluster: x.clusterspace.member1')
    .description('Print the log of a container of a pod.')
    .option('-c, --container <name>', 'container, if the pod has several')
    .addOption(namespace())
    .option('-f, --follow', 'stream the log')
    .option('--tail <lines>', 'only the last lines; -1: all')
    .option('--since <duration>', 'only what is newer, such as 5s, 2m, 3h')
    .option('-p, --previous', 'of the container before its last restart')
    .option('--timestamps', 'with the time of each line')
    .addOption(fleetKubeconfig())
    .addHelpText(
      'after',
      examples(
        '$ fleet logs x.clusterspace.member1 --tail 20',
        '$ fleet logs web-0 -n shop.clusterspace.member2 -f',
        '# why it was restarted',
        '$ fleet logs orders-0.clusterspace.member1 -n shop -p',
      ) + kubectlToo('logs'),
    )
    .action(async (pod: string, flags: LogsFlags) => (await import('./commands/logs.ts')).runLogs(pod, flags));
}

export function addExec(program: Command): void {
  program
    .command('exec')
    .argument('<pod>', 'name of the pod; of one cluster: x.clusterspace.member1')
    .argument('<command...>', 'the command, after --')
    .usage('[options] <pod> -- <command...>')
    .description('Run a command in a container of a pod. Its exit code is that of this command.')
    .option('-c, --container <name>', 'container, if the pod has several')
    .addOption(namespace())
    .option('-i, --stdin', 'send standard input to the command')
    .option('-t, --tty', 'with a terminal (TTY)')
    .addOption(fleetKubeconfig())
    .addHelpText(
      'after',
      examples(
        '$ fleet exec x.clusterspace.member1 -- ls /tmp',
        '$ fleet exec -it x -n default.clusterspace.member1 -- sh',
        '$ echo hello | fleet exec -i x.clusterspace.member1 -- cat',
      ) + kubectlToo('exec'),
    )
    .action(async (pod: string, command: string[], flags: ExecFlags) =>
      (await import('./commands/exec.ts')).runExec(pod, command, flags),
    );
}

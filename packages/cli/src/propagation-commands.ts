/** Defines the commands for templates and policies of federation, with their flags and help. */

import { type Command, Option } from 'commander';
import { examples, fleetKubeconfig, output } from './command-options.ts';
import type { ExploreFlags } from './commands/explore.ts';
import type { PromoteFlags } from './commands/promote.ts';
import type { ScheduleFlags } from './commands/schedule.ts';
import type { TreeFlags } from './commands/tree.ts';

const namespace = () => new Option('-n, --namespace <namespace>', "namespace; else that of the kubeconfig's context");

export function addTree(program: Command): void {
  program
    .command('tree')
    .argument('<object>', 'a template, as in deployment/shop')
    .description(
      'Show where a template of the federation stands: policy, binding, clusters, objects, and the first fault.',
    )
    .addOption(namespace())
    .addOption(output('json, yaml'))
    .addOption(fleetKubeconfig())
    .addHelpText('after', examples('$ fleet tree deployment/shop -n shop', '$ fleet tree clusterrole/reader -o json'))
    .action(async (object: string, flags: TreeFlags) => (await import('./commands/tree.ts')).runTree(object, flags));
}

const collected = (value: string, before: string[]): string[] => [...before, value];

export function addSchedule(program: Command): void {
  program
    .command('schedule')
    .description('Show which clusters would get a template, how many replicas, and why others would not.')
    .option(
      '-f, --filename <file>',
      'templates and policies; several times for several files; - for standard input',
      collected,
      [],
    )
    .addOption(namespace())
    .option('--dry-run', 'required: show the plan and write nothing')
    .addOption(output('json, yaml'))
    .addOption(fleetKubeconfig())
    .addHelpText(
      'after',
      examples(
        '$ fleet schedule -f policy.yaml -f template.yaml --dry-run',
        '# with the policies that are there',
        '$ fleet schedule -f template.yaml --dry-run -o json',
      ),
    )
    .action(async (flags: ScheduleFlags) => (await import('./commands/schedule.ts')).runSchedule(flags));
}

export function addExplore(program: Command): void {
  program
    .command('explore')
    .argument('<file>', 'an object, YAML or JSON; - for standard input')
    .description('Try the webhooks of federation on an object: show their answers, and the errors in them.')
    .requiredOption('--operation <name>', "what to ask, as in ExploreReplica, or in Karmada's words InterpretReplica")
    .option('--replicas <number>', 'replicas of one cluster, for ExploreReplicaRevising')
    .option('--observed <file>', "the member's object, for ExploreRetaining")
    .option('--statuses <file>', 'a ResourceBinding with the statuses of the clusters, for ExploreStatusAggregating')
    .option('--configuration <file>', 'webhook configurations, instead of those of the fleet')
    .option('--url <url>', 'one webhook, which needs neither configuration nor fleet')
    .option('--ca <file>', 'CA certificate (PEM) for --url, instead of those that the system trusts')
    .addOption(namespace())
    .addOption(output('json, yaml'))
    .addOption(fleetKubeconfig())
    .addHelpText(
      'after',
      examples(
        '$ fleet explore workload.yaml --operation ExploreReplica',
        '# one that is not configured yet',
        '$ fleet explore workload.yaml --operation ExploreReplicaRevising --replicas 2 --url https://localhost:8443 --ca tls.crt',
        '$ fleet explore workload.yaml --operation Retain --observed member.yaml --configuration configuration.yaml',
      ),
    )
    .action(async (file: string, flags: ExploreFlags) =>
      (await import('./commands/explore.ts')).runExplore(file, flags),
    );
}

export function addPromote(program: Command): void {
  program
    .command('promote')
    .argument('<object>', 'an object of a member, as in deployment/shop')
    .description('Make a template, with a policy, from an object of a member. No pod is restarted.')
    .requiredOption('--cluster <name>', 'the member that has it')
    .addOption(namespace())
    .option('--dry-run', 'check everything, and print what would be written')
    .addOption(output('json, yaml'))
    .addOption(fleetKubeconfig())
    .addHelpText(
      'after',
      examples(
        '$ fleet promote deployment/shop --cluster member1 -n shop --dry-run',
        '$ fleet promote deployment/shop --cluster member1 -n shop',
      ),
    )
    .action(async (object: string, flags: PromoteFlags) =>
      (await import('./commands/promote.ts')).runPromote(object, flags),
    );
}

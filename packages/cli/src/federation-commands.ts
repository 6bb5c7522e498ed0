/** Defines the federation commands for members, with their flags and help. */

import type { Command } from 'commander';
import { examples, fleetKubeconfig } from './command-options.ts';
import type { CordonFlags } from './commands/cordon.ts';
import type { DisableFlags } from './commands/federation-disable.ts';

export function addCordon(program: Command): void {
  program
    .command('cordon')
    .argument('<name>', 'name of the member')
    .description('Stop scheduling new objects to a member. Objects that are there already stay.')
    .addOption(fleetKubeconfig())
    .addHelpText('after', examples('$ fleet cordon member1', '# its taints', '$ fleet describe cluster member1'))
    .action(async (name: string, flags: CordonFlags) => (await import('./commands/cordon.ts')).runCordon(name, flags));
}

export function addUncordon(program: Command): void {
  program
    .command('uncordon')
    .argument('<name>', 'name of the member')
    .description('Schedule to a cordoned member again.')
    .addOption(fleetKubeconfig())
    .addHelpText('after', examples('$ fleet uncordon member1'))
    .action(async (name: string, flags: CordonFlags) =>
      (await import('./commands/cordon.ts')).runUncordon(name, flags),
    );
}

export function addFederation(program: Command): void {
  const federation = program.command('federation').description('Turn federation off, or on again.');
  federation
    .command('disable')
    .description('Turn federation off: removes claims, finalizers, and labels of federation. Objects in members stay.')
    .option('--delete-workloads', 'delete the objects in members instead; namespaces stay', false)
    .option('--timeout <seconds>', 'how long to wait until nothing is left', '120')
    .addOption(fleetKubeconfig())
    .addHelpText(
      'after',
      examples(
        '$ fleet federation disable',
        '# with what runs in the members',
        '$ fleet federation disable --delete-workloads',
        '# then start the server without --federation, or change your mind',
        '$ fleet federation enable',
      ),
    )
    .action(async (flags: DisableFlags) => (await import('./commands/federation-disable.ts')).runDisable(flags));
  federation
    .command('enable')
    .description('Turn federation on again. Objects that were released are not taken over again.')
    .addOption(fleetKubeconfig())
    .addHelpText('after', examples('$ fleet federation enable'))
    .action(async (flags: Pick<DisableFlags, 'fleetKubeconfig'>) =>
      (await import('./commands/federation-disable.ts')).runEnable(flags),
    );
}

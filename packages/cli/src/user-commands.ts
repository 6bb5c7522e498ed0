/** `fleet create user`, its flags and its help. */

import type { Command } from 'commander';
import { examples, fleetKubeconfig } from './command-options.ts';
import type { CreateUserFlags } from './commands/create-user.ts';

export function addCreate(program: Command): void {
  const create = program.command('create').description('Create one object of the fleet.');
  create
    .command('user')
    .argument('<name>', 'name of the user, as permissions name it')
    .description(
      'Make a certificate for a user and a kubeconfig with it, and print what to grant next. The CA of the fleet signs it, or the control plane.',
    )
    .option('--group <group...>', 'group of the user, as permissions name it; fleet:admins for an administrator')
    .option('--valid-for <duration>', 'how long the certificate is valid; it cannot be revoked before', '30d')
    .option('--output <file>', 'file to write, which only its owner can read (mode 0600); {name}.kubeconfig without it')
    .option(
      '--data-dir <folder>',
      'data directory of "fleet serve", for its CA; without it the folder of the fleet\'s kubeconfig, else the control plane signs',
    )
    .addOption(fleetKubeconfig())
    .addHelpText(
      'after',
      examples(
        '$ fleet create user alice --group developers',
        '# another administrator, for a week',
        '$ fleet create user bob --group fleet:admins --valid-for 7d --output bob-admin.kubeconfig',
      ),
    )
    .action(async (name: string, flags: CreateUserFlags) =>
      (await import('./commands/create-user.ts')).runCreateUser(name, flags),
    );
}

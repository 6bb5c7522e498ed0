/** `fleet completion`, and the hidden command that its scripts call. */

import { Argument, type Command } from 'commander';
import { examples } from './command-options.ts';
import { completeCommand, type Shell, scripts, shells } from './completion/scripts.ts';

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'shell to complete commands in').choices(shells))
    .description('Print a script that completes commands, flags and the names of members in a shell.')
    .addHelpText(
      'after',
      examples(
        '# in this shell; in ~/.bashrc for all',
        '$ source <(fleet completion bash)',
        '# behind compinit',
        '$ source <(fleet completion zsh)',
        '$ fleet completion fish > ~/.config/fish/completions/fleet.fish',
      ),
    )
    .action((shell: Shell) => void process.stdout.write(scripts[shell]));
  program
    .command(completeCommand, { hidden: true })
    .argument('[words...]')
    .action(async (words: string[]) => (await import('./commands/complete.ts')).runComplete(program, words));
}

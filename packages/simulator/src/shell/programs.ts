/** What can be run in a simulated container. */

import type { Command } from './command.ts';
import { cd, exit, exportVariables, pwd, unset } from './commands/built-ins.ts';
import { test } from './commands/conditions.ts';
import { cat, head, ls, readOnly, tail, wc } from './commands/files.ts';
import { clear, date, hostname, id, printenv, ps, sleep, stty, uname, whoami } from './commands/system.ts';
import { echo, failing, printf, succeed } from './commands/words.ts';

/** Found in the PATH; they can be run without a shell. */
export const programs: ReadonlyMap<string, Command> = new Map(
  Object.entries({
    '[': test,
    cat,
    chmod: readOnly,
    clear,
    cp: readOnly,
    date,
    echo,
    env: printenv,
    false: failing,
    head,
    hostname,
    id,
    ls,
    mkdir: readOnly,
    mv: readOnly,
    printenv,
    printf,
    ps,
    pwd,
    rm: readOnly,
    sleep,
    stty,
    tail,
    test,
    touch: readOnly,
    true: succeed,
    uname,
    wc,
    whoami,
  }),
);

/** Known to shells alone. */
export const builtIns: ReadonlyMap<string, Command> = new Map(
  Object.entries({ ':': succeed, cd, exit, export: exportVariables, unset }),
);

export const shellNames = ['sh', 'ash', 'dash', 'bash'];

const programDirectories = ['/bin', '/sbin', '/usr/bin', '/usr/sbin', '/usr/local/bin'];

/** The name of a program that is called by its path, as in `/bin/ls`; undefined for other paths. */
export function calledName(word: string): string | undefined {
  if (!word.includes('/')) return word;
  const at = word.lastIndexOf('/');
  return programDirectories.includes(word.slice(0, at)) ? word.slice(at + 1) : undefined;
}

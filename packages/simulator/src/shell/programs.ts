/** The programs and built-ins of a simulated container. */

import type { Container, Pod } from '../pods/pod.ts';
import type { Command } from './command.ts';
import { cd, exit, exportVariables, pwd, set, unset } from './commands/built-ins.ts';
import { expr } from './commands/calculation.ts';
import { test } from './commands/conditions.ts';
import { cat, chmod, cp, head, ls, mkdir, mv, rm, tail, touch, wc } from './commands/files.ts';
import { clear, date, hostname, id, printenv, ps, sleep, stty, uname, whoami } from './commands/system.ts';
import { echo, failing, printf, succeed } from './commands/words.ts';
import { type Files, filesOf, isSmallImage } from './files.ts';

/** Programs in the PATH, which can be run without a shell. */
export const programs: ReadonlyMap<string, Command> = new Map(
  Object.entries({
    '[': test,
    cat,
    chmod,
    clear,
    cp,
    date,
    echo,
    env: printenv,
    expr,
    false: failing,
    head,
    hostname,
    id,
    ls,
    mkdir,
    mv,
    printenv,
    printf,
    ps,
    pwd,
    rm,
    sleep,
    stty,
    tail,
    test,
    touch,
    true: succeed,
    uname,
    wc,
    whoami,
  }),
);

/** Built-ins, which only shells have. */
export const builtIns: ReadonlyMap<string, Command> = new Map(
  Object.entries({ ':': succeed, '[[': test, cd, exit, export: exportVariables, set, trap: succeed, unset }),
);

export const shellNames = ['sh', 'ash', 'dash', 'bash'];

export const shellsOf = (image: string): readonly string[] =>
  isSmallImage(image) ? shellNames.filter((name) => name !== 'bash') : shellNames;

/** Includes its programs. */
export const containerFiles = (pod: Pod, container: Container): Files =>
  filesOf(pod, container, [...programs.keys(), ...shellsOf(container.image ?? '')]);

const programDirectories = ['/bin', '/sbin', '/usr/bin', '/usr/sbin', '/usr/local/bin'];

/** The name of a program that is called by path, such as `/bin/ls`; undefined for other paths. */
export function calledName(word: string): string | undefined {
  if (!word.includes('/')) return word;
  const at = word.lastIndexOf('/');
  return programDirectories.includes(word.slice(0, at)) ? word.slice(at + 1) : undefined;
}

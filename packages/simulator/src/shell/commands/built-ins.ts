/** Built-in commands that change the shell itself. */

import { type Command, fail } from '../command.ts';
import { resolvePath } from '../files.ts';
import { longestPath } from '../path-tree.ts';
import { writeInPieces } from '../streams.ts';
import { fileFaults } from '../written-files.ts';

export const cd: Command = async (invocation) => {
  const { args, state, world } = invocation;
  const target = args[0] === '-' ? state.variables.get('OLDPWD') : (args[0] ?? state.variables.get('HOME'));
  const path = resolvePath(state.directory, target ?? '/');
  if (path.length > longestPath) return fail(invocation, `can't cd to ${target}: ${fileFaults.tooLong}`, 2);
  if (!world.files.isDirectory(path) && !world.files.couldHold(path)) {
    const isFile = world.files.size(path) !== undefined;
    return fail(invocation, `can't cd to ${target}: ${isFile ? 'Not a directory' : 'No such file or directory'}`, 2);
  }
  state.variables.set('OLDPWD', state.directory);
  state.directory = path;
  state.variables.set('PWD', path);
  return 0;
};

export const pwd: Command = async ({ state, stdout }) => {
  await stdout(`${state.directory}\n`);
  return 0;
};

export const exit: Command = async (invocation) => {
  const [code = String(invocation.state.status)] = invocation.args;
  const isNumber = /^\d{1,9}$/.test(code);
  if (!isNumber) await fail(invocation, `Illegal number: ${code}`);
  invocation.state.exitCode = isNumber ? Number(code) % 256 : 2;
  return invocation.state.exitCode;
};

export const exportVariables: Command = async (invocation) => {
  const { args, state, stdout } = invocation;
  if (args.length === 0) {
    const names = [...state.exported].sort().values();
    const lines = names.map((name) => `export ${name}='${state.variables.get(name) ?? ''}'\n`);
    // No separate limit: the variables themselves are limited.
    await writeInPieces(stdout, lines, Number.POSITIVE_INFINITY);
  }
  for (const argument of args) {
    const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]*)(?:=(.*))?$/s.exec(argument) ?? [];
    if (name === undefined) return fail(invocation, `${argument}: bad variable name`, 2);
    if (value !== undefined) state.variables.set(name, value);
    state.exported.add(name);
  }
  return 0;
};

export const unset: Command = async ({ args, state }) => {
  for (const name of args) {
    state.variables.delete(name);
    state.exported.delete(name);
  }
  return 0;
};

/** `-e` and `-x`, and `+e` and `+x`; other options have no effect here. */
export const set: Command = async ({ args, state }) => {
  for (const argument of args) {
    const [, sign, letters] = /^([-+])([a-z]+)$/.exec(argument) ?? [];
    if (letters?.includes('e')) state.isStrict = sign === '-';
    if (letters?.includes('x')) state.isTraced = sign === '-';
  }
  return 0;
};

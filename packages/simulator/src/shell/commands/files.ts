/** Commands that read or change files. */

import { Pace } from '@fleet/client/pace.ts';
import { type Command, fail, type Invocation } from '../command.ts';
import { resolvePath } from '../files.ts';
import { LastBytes } from '../last-bytes.ts';
import { type Input, inputOfText, noInput } from '../streams.ts';
import { changeFiles, type FileCommand } from './file-changes.ts';

/** Called between two of many arguments. */
async function rested(pace: Pace, { signal }: Invocation): Promise<void> {
  await pace.rest();
  signal.throwIfAborted();
}

type Opened = { input: Input } | { why: string };

function open({ state, world: { files }, stdin }: Invocation, path: string): Opened {
  if (path === '-') return { input: stdin };
  const whole = resolvePath(state.directory, path);
  const text = files.read(whole);
  if (text !== undefined) return { input: inputOfText(text) };
  if (files.couldHold(whole)) return { input: noInput };
  return { why: files.isDirectory(whole) ? 'Is a directory' : 'No such file or directory' };
}

/** Each file in turn, or stdin. Returns 1 if one cannot be read. */
async function eachFile(
  invocation: Invocation,
  paths: readonly string[],
  use: (input: Input, path: string) => Promise<void>,
): Promise<number> {
  let code = 0;
  const pace = new Pace();
  for (const path of paths.length === 0 ? ['-'] : paths) {
    if (pace.isDue) await rested(pace, invocation);
    const opened = open(invocation, path);
    if ('why' in opened) code = await fail(invocation, `${path}: ${opened.why}`);
    else await use(opened.input, path);
  }
  return code;
}

async function* chunks(input: Input): AsyncGenerator<Uint8Array> {
  for (let chunk = await input.read(); chunk; chunk = await input.read()) yield chunk;
}

export const cat: Command = (invocation) =>
  eachFile(invocation, invocation.args, async (input) => {
    for await (const chunk of chunks(input)) await invocation.stdout(chunk);
  });

/** `-n 3`, `-n3` and `-3`; ten by default. */
function countOf(args: readonly string[]): { count: number; paths: string[] } {
  const [first = '', second, ...rest] = args;
  if (first === '-n') return { count: Number(second), paths: rest };
  const [, digits] = /^-n?(\d{1,9})$/.exec(first) ?? [];
  return digits === undefined ? { count: 10, paths: [...args] } : { count: Number(digits), paths: args.slice(1) };
}

export const head: Command = async (invocation) => {
  const { count, paths } = countOf(invocation.args);
  if (!Number.isSafeInteger(count) || count < 0) return fail(invocation, 'invalid number of lines');
  return eachFile(invocation, paths, async (input) => {
    let left = count;
    for await (const chunk of chunks(input)) {
      let end = 0;
      for (; left > 0 && end < chunk.length; end += 1) if (chunk[end] === 0x0a) left -= 1;
      if (end > 0) await invocation.stdout(chunk.subarray(0, end));
      if (left === 0) return;
    }
  });
};

const isFollowing = (arg: string): boolean => /^-[fF]$/.test(arg);

/** With `-f` it never ends, as nothing else writes to a file meanwhile. */
export const tail: Command = async (invocation) => {
  const { args, world, signal } = invocation;
  const { count, paths } = countOf(args.filter((one) => !isFollowing(one)));
  if (!Number.isSafeInteger(count) || count < 0) return fail(invocation, 'invalid number of lines');
  const code = await eachFile(invocation, paths, async (input) => {
    const last = new LastBytes();
    for await (const chunk of chunks(input)) last.add(chunk);
    const bytes = last.all();
    let at = bytes.length;
    for (let line = 0; line < count && at > 0; line += 1) {
      at = at < 2 ? 0 : bytes.lastIndexOf(0x0a, at - 2) + 1;
    }
    await invocation.stdout(bytes.subarray(count === 0 ? bytes.length : at));
  });
  if (args.some(isFollowing) && code === 0) await world.clock.wait(Number.POSITIVE_INFINITY, signal);
  return code;
};

export const wc: Command = async (invocation) => {
  const flags = invocation.args.filter((one) => /^-[lwc]+$/.test(one)).join('');
  const paths = invocation.args.filter((one) => !/^-[lwc]+$/.test(one));
  return eachFile(invocation, paths, async (input, path) => {
    let [lines, words, bytes] = [0, 0, 0];
    let isInWord = false;
    for await (const chunk of chunks(input)) {
      bytes += chunk.length;
      for (const byte of chunk) {
        if (byte === 0x0a) lines += 1;
        const isBlank = byte <= 0x20;
        if (!isBlank && !isInWord) words += 1;
        isInWord = !isBlank;
      }
    }
    const all = { l: lines, w: words, c: bytes };
    const shown = Object.entries(all).filter(([flag]) => flags === '' || flags.includes(flag));
    const text = shown.map(([, value]) => String(value)).join(' ');
    await invocation.stdout(`${text}${path === '-' ? '' : ` ${path}`}\n`);
  });
};

export const ls: Command = async (invocation) => {
  const { args, state, world, stdout } = invocation;
  const flags = args.filter((one) => one.startsWith('-') && one !== '-').join('');
  const isLong = flags.includes('l');
  const paths = args.filter((one) => !one.startsWith('-'));
  let code = 0;
  const pace = new Pace();
  for (const path of paths.length === 0 ? ['.'] : paths) {
    if (pace.isDue) await rested(pace, invocation);
    const whole = resolvePath(state.directory, path);
    const entries = world.files.entries(whole);
    const isFile = world.files.size(whole) !== undefined;
    if (!entries && !isFile) {
      if (world.files.couldHold(whole)) continue;
      code = await fail(invocation, `${path}: No such file or directory`);
      continue;
    }
    if (paths.length > 1 && entries) await stdout(`${path}:\n`);
    const names = entries ?? [path];
    const hidden = flags.includes('a') && entries ? ['.', '..'] : [];
    const lines: string[] = [];
    for (const name of [...hidden, ...names]) {
      if (pace.isDue) await rested(pace, invocation);
      lines.push(isLong ? detailed(invocation, whole, name) : name);
    }
    if (lines.length > 0) await stdout(`${lines.join('\n')}\n`);
  }
  return code;
};

function detailed({ world: { files, startedAt } }: Invocation, directory: string, name: string): string {
  const path = resolvePath(directory, name);
  const isDirectory = files.isDirectory(path);
  const size = String(isDirectory ? 4096 : (files.size(path) ?? files.size(directory) ?? 0)).padStart(8);
  const time = new Date(startedAt).toISOString();
  return `${isDirectory ? 'drwxr-xr-x' : '-r--r--r--'}    1 root     root  ${size} ${time.slice(0, 10)} ${time.slice(11, 16)} ${name}`;
}

const changing =
  (command: FileCommand): Command =>
  async (invocation) => {
    const { args, state, world } = invocation;
    let code = 0;
    const pace = new Pace();
    for (const why of changeFiles(command, args, state.directory, world.files)) {
      if (why !== undefined) code = await fail(invocation, why);
      if (pace.isDue) await rested(pace, invocation);
    }
    return code;
  };

export const touch = changing('touch');
export const mkdir = changing('mkdir');
export const rm = changing('rm');
export const cp = changing('cp');
export const mv = changing('mv');
export const chmod = changing('chmod');

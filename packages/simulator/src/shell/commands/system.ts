/** Commands about the container: users, processes, time and host. */

import { kernelVersion } from '../../nodes/node.ts';
import { hostnameOf } from '../../pods/pod.ts';
import { type Command, fail, type Invocation } from '../command.ts';
import { writeInPieces } from '../streams.ts';

const userOf = ({ world: { pod } }: Invocation): number => pod.spec.securityContext?.runAsUser ?? 0;

export const hostname: Command = async ({ world, stdout }) => {
  await stdout(`${hostnameOf(world.pod)}\n`);
  return 0;
};

export const whoami: Command = async (invocation) => {
  const user = userOf(invocation);
  if (user !== 0) return fail(invocation, `unknown uid ${user}`);
  await invocation.stdout('root\n');
  return 0;
};

export const id: Command = async (invocation) => {
  const user = userOf(invocation);
  const [flag] = invocation.args;
  if (flag === '-u' || flag === '-g') await invocation.stdout(`${user}\n`);
  else await invocation.stdout(user === 0 ? 'uid=0(root) gid=0(root) groups=0(root)\n' : `uid=${user} gid=0(root)\n`);
  return 0;
};

export const uname: Command = async ({ args, world, stdout }) => {
  const facts = {
    s: 'Linux',
    n: hostnameOf(world.pod),
    r: kernelVersion,
    v: '#1 SMP simulated',
    m: 'x86_64',
  };
  const flags = args.filter((one) => one.startsWith('-')).join('') || 's';
  const shown = Object.entries(facts).filter(([flag]) => flags.includes('a') || flags.includes(flag));
  await stdout(`${shown.map(([, fact]) => fact).join(' ')}\n`);
  return 0;
};

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Tue Nov 17 12:00:00 UTC 2026`, or with a format: `+%Y-%m-%dT%H:%M:%S`, `+%s`. */
export const date: Command = async ({ args, world, stdout }) => {
  const now = new Date(world.clock.now());
  const [year, month, day, hours, minutes, seconds] = now.toISOString().split(/[-T:.]/);
  const parts: Record<string, string> = {
    Y: year!,
    m: month!,
    d: day!,
    H: hours!,
    M: minutes!,
    S: seconds!,
    s: String(Math.floor(now.getTime() / 1000)),
    F: `${year}-${month}-${day}`,
    T: `${hours}:${minutes}:${seconds}`,
    Z: 'UTC',
    n: '\n',
    '%': '%',
  };
  const format = args.find((one) => one.startsWith('+'));
  const whole = `${days[now.getUTCDay()]} ${months[now.getUTCMonth()]} ${day!.replace(/^0/, ' ')} ${parts['T']} UTC ${year}`;
  const text = format?.slice(1).replace(/%([A-Za-z%])/g, (sign, name: string) => parts[name] ?? sign) ?? whole;
  await stdout(`${text}\n`);
  return 0;
};

const secondsIn: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 };

/** The duration that `sleep` is given, or its error. */
export function sleepSeconds(args: readonly string[]): number | { why: string } {
  if (args.length === 0) return { why: 'missing operand' };
  let seconds = 0;
  for (const argument of args) {
    const [, number, unit = ''] = /^(\d{1,9}(?:\.\d{1,9})?|inf(?:inity)?)([smhd]?)$/.exec(argument) ?? [];
    if (number === undefined) return { why: `invalid number '${argument}'` };
    seconds += (number.startsWith('inf') ? Number.POSITIVE_INFINITY : Number(number)) * secondsIn[unit]!;
  }
  return seconds;
}

export const sleep: Command = async (invocation) => {
  const { args, world, signal } = invocation;
  const seconds = sleepSeconds(args);
  if (typeof seconds === 'object') return fail(invocation, seconds.why);
  await world.clock.wait(seconds * 1000, signal);
  return 0;
};

export const ps: Command = async (invocation) => {
  const { world, stdout } = invocation;
  const { command = [], args = [], name } = world.container;
  const main = [...command, ...args].join(' ') || name;
  const user = userOf(invocation) === 0 ? 'root' : String(userOf(invocation));
  const rows = [
    [1, '0:01', main],
    [47, '0:00', 'sh'],
    [53, '0:00', 'ps'],
  ] as const;
  const lines = rows.map(([pid, time, what]) => `${String(pid).padStart(5)} ${user.padEnd(8)} ${time}  ${what}`);
  await stdout(`  PID USER     TIME  COMMAND\n${lines.join('\n')}\n`);
  return 0;
};

export const stty: Command = async (invocation) => {
  const { terminal } = invocation.world;
  if (!terminal) return fail(invocation, 'standard input: Inappropriate ioctl for device');
  if (invocation.args[0] !== 'size') return fail(invocation, 'only "stty size" is supported in simulated pods');
  await invocation.stdout(`${terminal.size.height} ${terminal.size.width}\n`);
  return 0;
};

export const printenv: Command = async (invocation) => {
  const { args, environment, stdout } = invocation;
  const names = args.filter((one) => !one.startsWith('-'));
  if (names.length === 0) {
    // No separate limit: the variables themselves are limited.
    await writeInPieces(stdout, Iterator.from(environment).map(pairLine), Number.POSITIVE_INFINITY);
    return 0;
  }
  const found = names.filter((name) => environment.has(name));
  const isWhole = await writeInPieces(
    stdout,
    found.values().map((name) => `${environment.get(name)}\n`),
  );
  if (!isWhole) return fail(invocation, 'output too long');
  return found.length === 0 ? 1 : 0;
};

const pairLine = ([name, value]: [string, string]): string => `${name}=${value}\n`;

export const clear: Command = async ({ stdout }) => {
  await stdout('\x1b[H\x1b[2J');
  return 0;
};

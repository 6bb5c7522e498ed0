import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { onNpmEnd } from './npm-parent.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Processes by number, with what started each; this one's parent is 3. */
function processes(...all: [pid: number, parent: number, command: string][]) {
  const there = new Map(all.map(([pid, parent, command]) => [pid, { pid, parent, command }]));
  const state = { parent: 3 };
  return { there, state, parent: () => state.parent, find: (pid: number) => there.get(pid) };
}

const shell = [3, 2, "sh -c 'fleet' serve"] as const;
const npm = [2, 1, 'npm exec fleet serve'] as const;

describe('a process that npm started', () => {
  const watched = (all: ReturnType<typeof processes>) => {
    vi.useFakeTimers();
    const ended = vi.fn();
    const watching = onNpmEnd(ended, all);
    onTestFinished(() => watching[Symbol.dispose]());
    vi.advanceTimersByTime(5_000);
    return ended;
  };

  test('SIGTERM to npm: the shell is gone', () => {
    const all = processes([...shell], [...npm]);
    const ended = watched(all);
    expect(ended).not.toHaveBeenCalled();
    all.state.parent = 1;
    vi.advanceTimersByTime(1_000);
    expect(ended).toHaveBeenCalledTimes(1);
  });

  test('SIGKILL to npm: the shell is still there, with another parent', () => {
    const all = processes([...shell], [...npm]);
    const ended = watched(all);
    all.there.set(3, { pid: 3, parent: 1, command: shell[2] });
    vi.advanceTimersByTime(5_000);
    expect(ended).toHaveBeenCalledTimes(1);
  });

  test.each([
    ['a terminal', [3, 2, '-bash']],
    ['a shell that somebody types in, started by npm', [3, 2, 'bash']],
    ['a test runner', [3, 2, 'node (vitest 1)']],
    ['a unit of systemd', [3, 1, '/sbin/init']],
  ] as const)('not one that %s started', (_, parent) => {
    const all = processes([...parent], [...npm]);
    const ended = watched(all);
    all.state.parent = 1;
    vi.advanceTimersByTime(5_000);
    expect(ended).not.toHaveBeenCalled();
  });
});

describe('npx fleet serve', () => {
  const repository = join(import.meta.dirname, '../../..');

  /** Whether something listens there. */
  const answers = (port: number) =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });

  /** What was left behind, if the test fails. */
  const processesOf = (folder: string): number[] =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && commandOf(name).includes(folder))
      .map(Number);

  const commandOf = (pid: string): string => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
      return '';
    }
  };

  async function freePort(): Promise<number> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    return port;
  }

  async function start(command: readonly string[]): Promise<{ npm: ChildProcess; port: number }> {
    const [port, folder] = [await freePort(), mkdtempSync(join(tmpdir(), 'fleet-npx-'))];
    const npm = spawn('npm', [...command, 'serve', '--listen', `127.0.0.1:${port}`, '--data-dir', folder], {
      cwd: repository,
      env: { ...process.env, PATH: `${join(repository, 'node_modules/.bin')}${delimiter}${process.env['PATH']}` },
      stdio: 'ignore',
    });
    onTestFinished(() => {
      npm.kill('SIGKILL');
      for (const pid of processesOf(folder)) process.kill(pid, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    });
    await expect.poll(() => answers(port), { timeout: 30_000 }).toBe(true);
    return { npm, port };
  }

  const hasNpm = (() => {
    try {
      execFileSync('npm', ['--version'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  })();

  test.runIf(hasNpm).each([
    ['npx fleet', ['exec', 'fleet', '--'], 'SIGTERM'],
    ['npx fleet', ['exec', 'fleet', '--'], 'SIGKILL'],
    ['npm run fleet', ['run', 'fleet', '--'], 'SIGTERM'],
  ] as const)('%s (%j): after %s nothing holds the port', { timeout: 60_000 }, async (_, command, signal) => {
    const { npm: started, port } = await start(command);
    started.kill(signal);
    await expect.poll(() => answers(port), { timeout: 15_000 }).toBe(false);
  });
});

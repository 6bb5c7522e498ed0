import type { CommandSession } from '@fleet/apiserver/connect/connector.ts';
import { expect, onTestFinished, test } from 'vitest';
import type { Clock } from '../clock.ts';
import { runningPod, startedAt } from '../testing/pods.ts';
import { TestSession } from '../testing/sessions.ts';
import { runCommand } from './run-command.ts';
import { unlessAborted } from './streams.ts';
import { Terminal } from './terminal.ts';

/** A session that does not wait for its end. */
const clock: Clock = {
  now: () => Date.parse(startedAt),
  wait: (_millis, signal) => unlessAborted(new Promise<never>(() => {}), signal),
};

function open(command: string[] = ['sh'], client = new TestSession(), options: Partial<CommandSession> = {}) {
  const pod = runningPod();
  const process = {
    pod,
    container: pod.spec.containers[0]!,
    instance: { id: 'containerd://1', attempt: 0, startedAt: Date.parse(startedAt) },
    clock,
    onError(error: unknown) {
      throw error;
    },
  };
  const code = runCommand(process, client.session(command, { tty: true, stdin: client.stdin, ...options }));
  return { client, code };
}

test('a line is echoed and run; exit ends the shell with its code', async () => {
  const { client, code } = open();
  expect(await client.until('/ # ')).toBe('/ # ');
  client.type('echo hello\r');
  expect(await client.until('/ # ')).toBe('echo hello\r\nhello\r\n/ # ');
  client.type('cd /etc\r');
  expect(await client.until('/etc # ')).toBe('cd /etc\r\n/etc # ');
  client.type('exit 3\r');
  expect(await code).toBe(3);
});

test('backspace, Ctrl-U and Ctrl-W edit, arrows recall, Ctrl-D ends', async () => {
  const { client, code } = open(['bash']);
  await client.until('root@web-1:/# ');
  client.type('echo ax\x7fb\r');
  expect(await client.until('/# ')).toContain('\r\nab\r\n');
  client.type('nothing\x15echo c d\x17e\r');
  expect(await client.until('/# ')).toContain('\r\nc e\r\n');
  client.type('\x1b[A\x1b[A\r');
  expect(await client.until('/# ')).toContain('\r\nab\r\n');
  client.type('\x04');
  expect(await code).toBe(0);
});

test('Ctrl-C drops a line, and interrupts a command', async () => {
  const { client, code } = open();
  await client.until('/ # ');
  client.type('half a line\x03');
  expect(await client.until('/ # ')).toBe('half a line^C\r\n/ # ');
  client.type('sleep 1000\r');
  await client.until('sleep 1000\r\n');
  client.type('\x03');
  expect(await client.until('/ # ')).toBe('^C\r\n/ # ');
  client.type('echo $?\r');
  expect(await client.until('/ # ')).toContain('130\r\n');
  client.type('cat\rback\r');
  await client.until('back\r\nback\r\n');
  client.type('\x04');
  await client.until('/ # ');
  client.type('exit\r');
  expect(await code).toBe(0);
});

test('a line that is not whole goes on', async () => {
  const { client, code } = open();
  await client.until('/ # ');
  client.type('echo "a\r');
  expect(await client.until('> ')).toBe('echo "a\r\n> ');
  client.type('b"\r');
  expect(await client.until('/ # ')).toBe('b"\r\na\r\nb\r\n/ # ');
  client.type('ls | wc\r');
  expect(await client.until('/ # ')).toContain('sh: pipes are not supported');
  client.stdin.close();
  expect(await code).toBe(2);
});

test('Ctrl-D that is typed ahead is kept once, and not without end', async () => {
  const client = new TestSession();
  client.type('\x04\x04\x04line\r\x04\x04');
  client.type('\r\x04'.repeat(1_000));
  client.stdin.close();
  const session = client.session(['cat'], { tty: true, stdin: client.stdin });
  const terminal = new Terminal(session);
  client.resizes.close();
  await terminal.serve(session);
  const lines: (string | undefined)[] = [];
  for (let at = 0; at < 600; at += 1) lines.push(await terminal.line());
  expect(lines.slice(0, 4)).toEqual([undefined, 'line', undefined, '']);
  expect(lines.filter((line) => line !== undefined)).toHaveLength(128);
});

test('a command that goes on over many lines is bounded', async () => {
  const { client, code } = open();
  await client.until('/ # ');
  client.type('echo "\r');
  for (let line = 0; line < 17; line += 1) {
    await client.until('> ');
    client.type(`${'a'.repeat(4_000)}\r`);
  }
  expect(await client.until('/ # ')).toContain('sh: command too long\r\n');
  client.stdin.close();
  expect(await code).toBe(2);
});

test('the size of the terminal is known, and follows the client', async () => {
  const { client, code } = open();
  await client.until('/ # ');
  client.resizes.push({ width: 132, height: 43 });
  client.type('stty size; echo $COLUMNS $TERM\r');
  expect(await client.until('/ # ')).toContain('\r\n43 132\r\n132 xterm\r\n');
  client.ending.abort(new Error('gone'));
  await expect(code).rejects.toThrow('gone');
});

test('a client that is gone when it is written to leaves no error that nobody handles', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => void unhandled.push(error);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  const client = new TestSession();
  // The closed connection is only noticed by the write.
  const stdout = async () => {
    client.ending.abort(new Error('gone'));
    throw new Error('the connection is closed');
  };
  client.type('ls\r'.repeat(20));
  const { code } = open(['sh'], client, { stdout });
  await expect(code).rejects.toThrow('gone');
  await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled).toEqual([]);
});

test('a command at a terminal is interrupted with 130', async () => {
  const { client, code } = open(['sleep', '1000']);
  client.type('\x03');
  expect(await code).toBe(130);
});

test('a line can be as long as terminals take it, and no longer', async () => {
  const { client, code } = open();
  await client.until('/ # ');
  client.type(`: ${'a'.repeat(5_000)}\r`);
  const shown = await client.until('/ # ');
  expect(shown.replaceAll(/[^a]/g, '')).toHaveLength(4_093);
  client.ending.abort(new Error('gone'));
  await expect(code).rejects.toThrow('gone');
});

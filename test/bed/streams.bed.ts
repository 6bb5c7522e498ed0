import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kubectlPath } from './src/binaries.ts';
import { type Member, startMember } from './src/member.ts';
import { until } from './src/until.ts';

/** Everything the stream has sent so far. */
function heard(stream: Readable): () => string {
  let all = '';
  stream.on('data', (data) => {
    all += data;
  });
  return () => all;
}

describe.for(['newest', 'older'] as const)('streams of a pod, %s version', (version) => {
  let member: Member;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bed-streams-'));
    member = await startMember({ name: `s-${version}`, version, workloads: true });
  }, 1_200_000);
  afterAll(async () => {
    await member?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  it.for([0, 3, 255])('exec ends with the code of the command: %i', async (code) => {
    const ended = await member.kubectl('exec', 'x', '--', 'sh', '-c', `echo out; echo err >&2; exit ${code}`);
    expect(ended).toMatchObject({ code, stdout: 'out\n', stderr: expect.stringMatching(/^err\n/) });
  });

  it('exec reports a killed command and one that is not there', async () => {
    expect((await member.kubectl('exec', 'x', '--', 'sh', '-c', 'kill -9 $$')).code).toBe(137);
    const missing = await member.kubectl('exec', 'x', '--', 'no-such-command');
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('executable file not found') });
  });

  it('exec takes input to its end, all of it', async () => {
    const stdin = Buffer.alloc(3_000_000, 'line\n');
    const { stdout } = await member.kubectl('exec', '-i', 'x', '--', 'sh', '-c', 'cat | md5sum; echo done', { stdin });
    expect(stdout).toMatch(/^[0-9a-f]{32} {2}-\ndone\n$/);
    expect((await member.kubectl('exec', '-i', 'x', '--', 'cat', { stdin })).stdout.length).toBe(stdin.length);
  });

  it('exec runs in the pod of that member, in files of its own', async () => {
    const where = await member.kubectl(
      'exec',
      'x',
      '--',
      'sh',
      '-c',
      'echo $(hostname) $FLEET_BED_MEMBER; touch /etc/x',
    );
    expect(where.stdout).toBe(`x ${member.name}\n`);
    expect(where.stderr).toContain('Read-only');
    await member.kubectl('exec', 'x', '--', 'touch', '/tmp/only-x');
    expect((await member.kubectl('exec', 'shell', '--', 'ls', '/tmp/only-x')).code).toBe(2);
  });

  it('exec with a terminal knows its size, and its code', async () => {
    const wait = 'until [ "$(stty size)" = "33 77" ]; do sleep 0.05; done; tty; exit 5';
    const kubectl = `${kubectlPath(version)} --kubeconfig ${member.kubeconfig} exec -it x -- sh -c '${wait}'`;
    const script = promisify(execFile)('script', ['-qec', `stty rows 33 cols 77; ${kubectl}`, '/dev/null']);
    script.child.stdin?.end();
    await expect(script).rejects.toMatchObject({ code: 5, stdout: expect.stringContaining('/dev/pts/') });
  });

  it('logs: the tail, timestamps, a limit, and none of a previous container', async () => {
    await until('three lines', async () => (await member.kubectl('logs', 'x')).stdout.split('\n').length > 3);
    const all = (await member.kubectl('logs', 'x')).stdout;
    expect(all).toMatch(/^x line 1\nx line 2\nx line 3\n/);
    expect((await member.kubectl('logs', 'x', '--tail=2')).stdout).toMatch(/^x line \d+\nx line \d+\n$/);
    expect((await member.kubectl('logs', 'x', '--tail=1', '--timestamps')).stdout).toMatch(/^\d{4}-\S+Z x line \d+\n$/);
    expect((await member.kubectl('logs', 'x', '--limit-bytes=4')).stdout).toBe('x li');
    expect((await member.kubectl('logs', 'x', '--since-time=2000-01-01T00:00:00Z')).stdout).toContain('x line 1\n');
    expect((await member.kubectl('logs', 'x', '--since-time=2099-01-01T00:00:00Z')).stdout).toBe('');
    expect((await member.kubectl('logs', 'x', '--previous')).stderr).toContain('previous terminated container "x"');
  });

  it('logs -f goes on until the pod goes', async () => {
    await member.kubectl('run', 'brief', '--image=brief:1');
    await member.kubectl('wait', '--for=condition=Ready', 'pod/brief');
    const follow = member.startKubectl('logs', '-f', 'brief');
    const output = heard(follow.stdout);
    await until('a line that came later', () => output().includes('brief line 3\n'));
    expect(follow.exitCode).toBeNull();
    const closed = once(follow, 'close');
    await member.kubectl('delete', 'pod', 'brief');
    expect(await closed).toEqual([0, null]);
    expect(output()).toMatch(/^brief line 1\nbrief line 2\nbrief line 3\n/);
  });

  it('attach shows new lines and gives input back', async () => {
    const attach = member.startKubectl('attach', '-i', 'shell');
    const output = heard(attach.stdout);
    await until('a line', () => /shell line \d+\n/.test(output()));
    attach.stdin.write('ping\n');
    await until('the input again', () => output().includes('ping\n'));
    attach.kill();
    await once(attach, 'close');
  });

  it('port-forward reaches a real echo, and nothing once it is gone', async () => {
    const echo = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket));
    await once(echo.listen(0, '127.0.0.1'), 'listening');
    const forward = member.startKubectl('port-forward', 'x', `:${(echo.address() as AddressInfo).port}`);
    const output = heard(forward.stdout);
    const port = await until('it forwards', () => output().match(/127\.0\.0\.1:(\d+) ->/)?.[1]);
    const question = 'a'.repeat(200_000);
    expect(await text(connect(Number(port), '127.0.0.1').end(question))).toBe(question);
    await new Promise((resolve) => echo.close(resolve));
    const vain = connect(Number(port), '127.0.0.1');
    vain.on('error', () => vain.destroy());
    expect(await text(vain.end('x')).catch(() => '')).toBe('');
    forward.kill();
    await once(forward, 'close');
  });

  it('cp takes files there and back', async () => {
    const content = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251));
    await writeFile(join(folder, 'there'), content);
    expect((await member.kubectl('cp', join(folder, 'there'), 'x:/tmp/file')).code).toBe(0);
    expect((await member.kubectl('cp', 'x:/tmp/file', join(folder, 'back'))).code).toBe(0);
    expect(Buffer.compare(await readFile(join(folder, 'back')), content)).toBe(0);
    // kubectl exits with 0 with or without a message: what counts is that nothing came
    await member.kubectl('cp', 'x:/tmp/missing', join(folder, 'missing'));
    expect(existsSync(join(folder, 'missing'))).toBe(false);
  });
});

describe('negative controls', () => {
  it('an API server that the node server does not know has no streams', async () => {
    // another name than the one that is let in; what is output last counts
    const flags = ['--kubelet-client-certificate=pki/admin.crt', '--kubelet-client-key=pki/admin.key'];
    await using stranger = await startMember({ name: 'stranger', workloads: true, extraApiserverFlags: flags });
    const ended = await stranger.kubectl('exec', 'x', '--', 'true');
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/[Ff]orbidden/) });
    expect((await stranger.kubectl('logs', 'x')).code).toBe(1);
  }, 1_200_000);
});

/** Plain kubectl through each endpoint to one member: every verb and every kind of stream reaches it, and it alone. */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { kubectlPath } from '@fleet/bed/binaries.ts';
import type { Kubectl } from '@fleet/bed/kubectl.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fleet, memberProxy, startFleet } from './fleet.ts';
import { apply, binding, reach, role } from './rbac.ts';
import { watchMember } from './seen.ts';

let fleet: Fleet<'member1' | 'member2'>;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleet-kubectl-endpoints-'));
  fleet = await startFleet({
    member1: { version: 'newest', workloads: true },
    member2: { version: 'older', workloads: true },
  });
  const { controlPlane, members } = fleet;
  const maker = { apiGroups: ['apps'], resources: ['deployments'], verbs: ['create'] };
  await apply(controlPlane, reach, binding('people', 'reach', { kind: 'Group', name: 'people' }));
  await apply(members.member1, binding('alice', 'view', alice), role('maker', maker), binding('bob', 'maker', bob));
  await apply(members.member2, binding('bob', 'view', bob));
});

afterAll(async () => {
  await fleet?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const alice = { kind: 'User', name: 'alice' } as const;
const bob = { kind: 'User', name: 'bob' } as const;

/** URL-4, URL-7, URL-3; the objects made through one must not meet those of another. */
const endpoints = [
  { name: 'member1', endpoint: memberProxy('member1'), mark: 'proxied' },
  { name: 'member1', endpoint: '/clusters/member1', mark: 'dispatched' },
  { name: 'member1', endpoint: '/clusterspaces/member1', mark: 'in-space' },
  { name: 'member2', endpoint: memberProxy('member2'), mark: 'proxied' },
] as const;

/** A kubectl that goes on, read line by line. */
class Running implements AsyncDisposable {
  private readonly process: Kubectl;
  private readonly lines: AsyncIterator<string>;

  constructor(process: Kubectl) {
    this.process = process;
    this.lines = createInterface(process.stdout)[Symbol.asyncIterator]();
  }

  /** The next line that satisfies the condition. */
  async line(isMatch: (line: string) => boolean): Promise<string> {
    for (;;) {
      const { value, done } = await this.lines.next();
      if (done) throw new Error(`kubectl ended: ${this.process.exitCode}`);
      if (isMatch(value)) return value;
    }
  }

  async [Symbol.asyncDispose]() {
    if (this.process.exitCode !== null) return;
    this.process.kill();
    await once(this.process, 'close');
  }
}

async function withEcho<T>(use: (port: number) => Promise<T>): Promise<T> {
  const server = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await use((server.address() as AddressInfo).port);
  } finally {
    server.close();
  }
}

/** Sends, half-closes, and gives what came back until the other side ended. */
async function conversation(port: number, text: string): Promise<string> {
  const socket: Socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.end(text);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** What kubectl prints on a terminal of 33 lines and 77 columns, which becomes 20 by 50 once it prints `small?`. */
async function onTerminal(command: string): Promise<{ code: number; printed: string }> {
  // the terminal prints its name first, so that it can be resized from here
  const script = spawn('script', ['-qfec', `tty; stty rows 33 cols 77; ${command}`, '/dev/null']);
  let printed = '';
  let resized: Promise<unknown> | undefined;
  script.stdout.on('data', (data: Buffer) => {
    printed += data;
    const [, terminal] = /^(\/dev\/pts\/\d+)/.exec(printed) ?? [];
    if (terminal && printed.includes('small?')) {
      resized ??= promisify(execFile)('stty', ['-F', terminal, 'rows', '20', 'cols', '50']);
    }
  });
  const [code] = (await once(script, 'close')) as [number];
  await resized;
  return { code, printed };
}

describe.each(endpoints)('kubectl --server https://fleet$endpoint', ({ name, endpoint, mark }) => {
  const at = { at: endpoint };
  const kubectl = (...args: Parameters<typeof fleet.product.kubectl>) => fleet.product.kubectl(...args, at);
  const start = (env: NodeJS.ProcessEnv, ...args: string[]) =>
    new Running(fleet.product.startKubectl({ ...at, env }, ...args));
  const direct = (...args: string[]) => fleet.members[name].kubectl(...args);

  test('apply, then apply again: created, unchanged, and in that member alone', async () => {
    const manifest = JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `only-${mark}` },
      data: { umlaut: 'ä', number: '9007199254740993' },
    });
    expect((await kubectl('apply', '-f', '-', { stdin: manifest })).stdout).toBe(`configmap/only-${mark} created\n`);
    expect((await kubectl('apply', '-f', '-', { stdin: manifest })).stdout).toBe(`configmap/only-${mark} unchanged\n`);
    const sides = await Promise.all(
      Object.values(fleet.members).map(async (member) => [
        member.name,
        (await member.kubectl('get', 'cm', `only-${mark}`)).code,
      ]),
    );
    expect(Object.fromEntries(sides)).toEqual({ member1: 1, member2: 1, [name]: 0 });
  });

  test('edit, patch, scale, label and delete', async () => {
    const edited = `edited-${mark}`;
    await kubectl('create', 'configmap', edited, '--from-literal=a=1');
    const editor = join(folder, 'editor.sh');
    await writeFile(editor, '#!/bin/sh\nsed -i "s/a: \\"1\\"/a: \\"2\\"/" "$1"\n', { mode: 0o755 });
    const done = await kubectl('edit', 'configmap', edited, { env: { KUBE_EDITOR: editor } });
    expect(done).toMatchObject({ code: 0, stdout: `configmap/${edited} edited\n` });
    expect((await direct('get', 'cm', edited, '-o', 'jsonpath={.data.a}')).stdout).toBe('2');
    expect((await kubectl('label', 'cm', edited, 'x=y')).code).toBe(0);
    expect((await kubectl('patch', 'cm', edited, '--type=json', '-p', '[{"op":"remove","path":"/data/a"}]')).code).toBe(
      0,
    );
    expect((await kubectl('scale', 'deploy/web', '--replicas=4')).code).toBe(0);
    expect((await kubectl('rollout', 'status', 'deploy/web', '--timeout=30s')).code).toBe(0);
    expect((await kubectl('delete', 'cm', edited)).code).toBe(0);
    expect((await direct('get', 'cm', edited)).stderr).toContain('NotFound');
  });

  test('a write with protobuf bodies goes through untouched', async () => {
    const { code, stdout } = await kubectl('create', 'deployment', 'typed', '--image=x:1', '--replicas=0');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'deployment.apps/typed created\n' });
    expect((await kubectl('delete', 'deployment', 'typed')).code).toBe(0);
  });

  test('URL-13: exec by WebSocket and by SPDY: stdin, outputs, exit codes', async () => {
    for (const websockets of ['true', 'false']) {
      const { code, stdout, stderr } = await kubectl(
        ...['exec', '-i', 'x', '--', 'sh', '-c', 'cat; echo problem >&2; exit 3'],
        { stdin: 'typed\n', env: { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: websockets } },
      );
      expect({ websockets, code, stdout }).toEqual({ websockets, code: 3, stdout: 'typed\n' });
      expect(stderr).toContain('problem');
    }
  });

  test.each(['true', 'false'])(
    'URL-13: exec with a terminal that changes its size, WebSocket %s',
    async (websockets) => {
      const { server, adminKubeconfig } = fleet.product;
      const until = (size: string) => `until [ "$(stty size)" = "${size}" ]; do sleep 0.05; done`;
      const inside = `${until('33 77')}; echo small?; ${until('20 50')}; tty; exit 5`;
      const kubectlHere = `${kubectlPath('newest')} --kubeconfig ${adminKubeconfig} --server ${server}${endpoint}`;
      const { code, printed } = await onTerminal(
        `KUBECTL_REMOTE_COMMAND_WEBSOCKETS=${websockets} ${kubectlHere} exec -it x -- sh -c '${inside}'`,
      );
      expect({ code, printed }).toEqual({ code: 5, printed: expect.stringMatching(/small\?\s+\/dev\/pts\/\d+\s/) });
    },
  );

  test('exec into a pod that does not exist is the member’s own 404', async () => {
    const { code, stderr } = await kubectl('exec', 'nope', '--', 'true');
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'Error from server (NotFound): pods "nope" not found\n' });
  });

  test('URL-13: logs -f goes on as lines come', async () => {
    await using running = start({}, 'logs', '-f', 'x', '--tail', '1');
    const number = async () => Number((await running.line((line) => line.startsWith('x line'))).split(' ')[2]);
    const first = await number();
    expect([await number(), await number()]).toEqual([first + 1, first + 2]);
  });

  test.each(['true', 'false'])(
    'URL-13: port-forward to a real echo, half-close included, WebSocket %s',
    async (KUBECTL_PORT_FORWARD_WEBSOCKETS) => {
      await withEcho(async (port) => {
        await using running = start({ KUBECTL_PORT_FORWARD_WEBSOCKETS }, 'port-forward', 'pod/x', `:${port}`);
        const line = await running.line((text) => text.includes('Forwarding from 127.0.0.1'));
        const local = Number(/127\.0\.0\.1:(\d+)/.exec(line)?.[1]);
        const text = 'hello '.repeat(50_000);
        expect(await conversation(local, text)).toBe(text);
        expect(await conversation(local, 'again')).toBe('again');
      });
    },
  );

  test('cp there and back', async () => {
    const [out, back] = [join(folder, `${name}-${mark}.bin`), join(folder, `${name}-${mark}.back`)];
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251));
    await writeFile(out, bytes);
    expect((await kubectl('cp', out, `x:${mark}-copied.bin`)).code).toBe(0);
    expect((await kubectl('cp', `x:${mark}-copied.bin`, back)).code).toBe(0);
    expect(bytes.equals(await readFile(back))).toBe(true);
  });

  test('attach shows what the process prints', async () => {
    await using running = start({}, 'attach', 'x');
    expect(await running.line((line) => line.startsWith('x line'))).toMatch(/^x line \d+$/);
  });

  test('a watch shows a change as it happens', async () => {
    await using running = start({}, 'get', 'cm', '-w', '--output-watch-events');
    await running.line((line) => line.includes('settings'));
    await direct('create', 'configmap', `seen-${mark}`);
    expect(await running.line((line) => line.includes(`seen-${mark}`))).toMatch(/^ADDED\s+seen-/);
    await direct('delete', 'configmap', `seen-${mark}`);
    expect(await running.line((line) => line.includes(`seen-${mark}`))).toMatch(/^DELETED\s+seen-/);
  });

  test('a big list comes through byte for byte', async () => {
    const through = await kubectl('get', '--raw', '/openapi/v2');
    expect(through.stdout.length).toBeGreaterThan(1_000_000);
    expect(through.stdout).toBe((await direct('get', '--raw', '/openapi/v2')).stdout);
  });

  test('AUTHZ-3: auth can-i returns what that member grants, to each user their own', async () => {
    const granted = {
      member1: { alice: ['yes', 'no'], bob: ['no', 'yes'] },
      member2: { alice: ['no', 'no'], bob: ['yes', 'no'] },
    };
    for (const user of ['alice', 'bob'] as const) {
      const kubeconfig = await fleet.product.userKubeconfig(user, ['people']);
      const seen = await watchMember(fleet.members[name]);
      const ask = async (...what: string[]) => (await kubectl('auth', 'can-i', ...what, { kubeconfig })).stdout.trim();
      expect([await ask('list', 'pods'), await ask('create', 'deployments')], user).toEqual(granted[name][user]);
      const reviews = (await seen()).filter(({ objectRef }) => objectRef?.resource === 'selfsubjectaccessreviews');
      expect(reviews.map(({ impersonatedUser }) => impersonatedUser)).toEqual([user, user]);
    }
  });

  test('AUTHZ-3: auth can-i --list is the member’s own', async () => {
    const lines = (stdout: string) =>
      stdout
        .split('\n')
        .map((line) => line.replace(/ +/g, ' '))
        .sort();
    for (const user of ['alice', 'bob']) {
      const kubeconfig = await fleet.product.userKubeconfig(user, ['people']);
      const through = await kubectl('auth', 'can-i', '--list', { kubeconfig });
      const own = await direct('auth', 'can-i', '--list', '--as', user, '--as-group', 'people');
      expect(lines(through.stdout), user).toEqual(lines(own.stdout));
      expect(through.stdout).toContain('selfsubjectaccessreviews');
    }
  });

  test('delete, and it is gone', async () => {
    expect((await kubectl('delete', 'cm', `only-${mark}`)).stdout).toMatch(/^configmap "only-\S+" deleted/);
    expect((await direct('get', 'cm', `only-${mark}`)).stderr).toContain('NotFound');
  });
});

/** Plain kubectl through `clusters/{name}/proxy`: every verb and every kind of stream reaches the one member. */

import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Kubectl } from '@fleet/bed/kubectl.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fleet, memberProxy, startFleet } from './fleet.ts';

let fleet: Fleet<'member1' | 'member2'>;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleet-kubectl-proxy-'));
  fleet = await startFleet({
    member1: { version: 'newest', workloads: true },
    member2: { version: 'older', workloads: true },
  });
});

afterAll(async () => {
  await fleet?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const eachMember = describe.each(['member1', 'member2'] as const);

/** A kubectl that goes on, read line by line. */
class Running implements AsyncDisposable {
  private readonly process: Kubectl;
  private readonly lines: AsyncIterator<string>;

  constructor(process: Kubectl) {
    this.process = process;
    this.lines = createInterface(process.stdout)[Symbol.asyncIterator]();
  }

  /** The next line that satisfies the condition. */
  async line(wanted: (line: string) => boolean): Promise<string> {
    for (;;) {
      const { value, done } = await this.lines.next();
      if (done) throw new Error(`kubectl ended: ${this.process.exitCode}`);
      if (wanted(value)) return value;
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

eachMember('URL-4: clusters/%s/proxy', (name) => {
  const at = { at: memberProxy(name) };
  const kubectl = (...args: Parameters<typeof fleet.product.kubectl>) => fleet.product.kubectl(...args, at);
  const start = (env: NodeJS.ProcessEnv, ...args: string[]) =>
    new Running(fleet.product.startKubectl({ ...at, env }, ...args));
  const direct = (...args: string[]) => fleet.members[name].kubectl(...args);

  test('apply, then apply again: created, unchanged, and in that member alone', async () => {
    const manifest = JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `only-${name}` },
      data: { umlaut: 'ä', number: '9007199254740993' },
    });
    expect((await kubectl('apply', '-f', '-', { stdin: manifest })).stdout).toBe(`configmap/only-${name} created\n`);
    expect((await kubectl('apply', '-f', '-', { stdin: manifest })).stdout).toBe(`configmap/only-${name} unchanged\n`);
    const sides = await Promise.all(
      Object.values(fleet.members).map(async (member) => [
        member.name,
        (await member.kubectl('get', 'cm', `only-${name}`)).code,
      ]),
    );
    expect(Object.fromEntries(sides)).toEqual({ member1: 1, member2: 1, [name]: 0 });
  });

  test('edit, patch, scale, label and delete', async () => {
    await kubectl('create', 'configmap', 'edited', '--from-literal=a=1');
    const editor = join(folder, 'editor.sh');
    await writeFile(editor, '#!/bin/sh\nsed -i "s/a: \\"1\\"/a: \\"2\\"/" "$1"\n', { mode: 0o755 });
    const edited = await kubectl('edit', 'configmap', 'edited', { env: { KUBE_EDITOR: editor } });
    expect(edited).toMatchObject({ code: 0, stdout: 'configmap/edited edited\n' });
    expect((await direct('get', 'cm', 'edited', '-o', 'jsonpath={.data.a}')).stdout).toBe('2');
    expect((await kubectl('label', 'cm', 'edited', 'x=y')).code).toBe(0);
    expect(
      (await kubectl('patch', 'cm', 'edited', '--type=json', '-p', '[{"op":"remove","path":"/data/a"}]')).code,
    ).toBe(0);
    expect((await kubectl('scale', 'deploy/web', '--replicas=4')).code).toBe(0);
    expect((await kubectl('rollout', 'status', 'deploy/web', '--timeout=30s')).code).toBe(0);
    expect((await kubectl('delete', 'cm', 'edited')).code).toBe(0);
    expect((await direct('get', 'cm', 'edited')).stderr).toContain('NotFound');
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
    const [out, back] = [join(folder, `${name}.bin`), join(folder, `${name}.back`)];
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251));
    await writeFile(out, bytes);
    expect((await kubectl('cp', out, `x:${name}-copied.bin`)).code).toBe(0);
    expect((await kubectl('cp', `x:${name}-copied.bin`, back)).code).toBe(0);
    expect(bytes.equals(await readFile(back))).toBe(true);
  });

  test('attach shows what the process prints', async () => {
    await using running = start({}, 'attach', 'x');
    expect(await running.line((line) => line.startsWith('x line'))).toMatch(/^x line \d+$/);
  });

  test('a watch shows a change as it happens', async () => {
    await using running = start({}, 'get', 'cm', '-w', '--output-watch-events');
    await running.line((line) => line.includes('settings'));
    await direct('create', 'configmap', 'seen');
    expect(await running.line((line) => line.includes('seen'))).toMatch(/^ADDED\s+seen\s/);
    await direct('delete', 'configmap', 'seen');
    expect(await running.line((line) => line.includes('seen'))).toMatch(/^DELETED\s+seen\s/);
  });

  test('a big list comes through byte for byte', async () => {
    const through = await kubectl('get', '--raw', '/openapi/v2');
    expect(through.stdout.length).toBeGreaterThan(1_000_000);
    expect(through.stdout).toBe((await direct('get', '--raw', '/openapi/v2')).stdout);
  });
});

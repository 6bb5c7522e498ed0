/** Streams: logs, exec, attach, cp, port-forward, debug, proxy. */

import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { type Cell, home, type KubeObject } from '../cell.ts';
import { Lines } from '../lines.ts';
import { makes, type Row } from '../row.ts';

const inHome = (_: Cell, printed: string) => expect(printed).toBe(`${home}\n`);
const logged = (_: Cell, printed: string) => expect(printed).toMatch(/^c line \d+\n$/);

/** Port P of a pod is port P of this machine: what is sent there must come back. */
async function echoes(cell: Cell, target: string): Promise<void> {
  const server = createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await using running = new Lines(
      cell.start('port-forward', cell.filled(target), `:${(server.address() as AddressInfo).port}`),
    );
    const [, port] = await running.find(/127\.0\.0\.1:(\d+) ->/);
    const socket = connect(Number(port), '127.0.0.1');
    socket.end(`sent by ${cell.id}`);
    expect(await text(socket)).toBe(`sent by ${cell.id}`);
  } finally {
    server.close();
  }
}

/** The Service's only port leads to 8080 of its pods, where nobody answers: that it is forwarded at all is what is seen. */
async function forwards(cell: Cell, target: string): Promise<void> {
  await using running = new Lines(cell.start('port-forward', cell.filled(target), ':80'));
  await running.find(/127\.0\.0\.1:\d+ -> 8080/);
}

async function attaches(cell: Cell, target: string): Promise<void> {
  await using running = new Lines(cell.start('attach', cell.filled(target)));
  await running.find(/^c line \d+$/);
}

async function copies(cell: Cell): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-matrix-'));
  try {
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, i) => i % 251));
    await writeFile(join(folder, 'there'), bytes);
    await cell.ok('cp there {pod}:copied', { cwd: folder });
    await cell.ok('cp {pod}:copied back', { cwd: folder });
    expect(bytes.equals(await readFile(join(folder, 'back')))).toBe(true);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Plain HTTP on loopback, as the user. */
async function proxies(cell: Cell): Promise<void> {
  await using running = new Lines(cell.start('proxy', '--port=0'));
  const [, port] = await running.find(/127\.0\.0\.1:(\d+)/);
  const namespace = cell.view === 'namespace' ? `default.clusterspace.${home}` : 'default';
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/namespaces/${namespace}/pods/${cell.typed('pod')}`);
  const { uid } = (await cell.object('v1/pods', 'pod')).metadata;
  expect(((await answer.json()) as KubeObject).metadata.uid).toBe(uid);
}

/** kubectl makes up the pod's name, from what it takes for the node's. */
async function onNode(cell: Cell, printed: string): Promise<void> {
  const [, made = ''] = /debugging pod (\S+) /.exec(printed) ?? [];
  const pod = await cell.objectNamed('v1/pods', made.replace(`.clusterspace.${home}`, ''));
  expect(pod['spec'].nodeName).toBe(cell.node);
}

export const streams: Row[] = [
  { command: 'logs {pod} --tail=1', sees: logged },
  { command: 'logs deploy/{app} --tail=1', sees: logged },
  {
    command: 'logs -f {pod}',
    async run(cell) {
      await using running = new Lines(cell.start('logs', '-f', '--tail=1', cell.typed('pod')));
      const [, line] = await running.find(/^c line (\d+)$/);
      const [, next] = await running.find(/^c line (\d+)$/);
      expect(Number(next)).toBe(Number(line) + 1);
    },
  },
  { command: 'logs -l of=pod,cell={id},clusterspace=m1 --tail=1', sees: logged },
  { command: 'exec {pod} -- printenv FLEET_BED_MEMBER', sees: inHome },
  { command: 'exec deploy/{app} -- printenv FLEET_BED_MEMBER', sees: inHome },
  { command: 'attach {pod}', run: (cell) => attaches(cell, '{pod}') },
  { command: 'attach deploy/{app}', run: (cell) => attaches(cell, 'deploy/{app}') },
  { command: 'port-forward pod/{pod} :80', run: (cell) => echoes(cell, 'pod/{pod}') },
  { command: 'port-forward deploy/{app} :80', run: (cell) => echoes(cell, 'deploy/{app}') },
  { command: 'port-forward svc/{svc} :80', run: (cell) => forwards(cell, 'svc/{svc}') },
  { command: ['cp file {pod}:file', 'cp {pod}:file file'], run: copies },
  { command: 'proxy', run: proxies },
  {
    command: 'debug {pod} --image=x:1 -c debugger --attach=false',
    async sees(cell) {
      const { spec } = await cell.object('v1/pods', 'pod');
      expect(spec.ephemeralContainers.map(({ name }: { name: string }) => name)).toEqual(['debugger']);
    },
  },
  {
    command: 'debug {pod} --copy-to={copy} --image=x:1 --attach=false',
    sees: async (cell) => expect((await cell.object('v1/pods', 'copy'))['spec'].containers).toHaveLength(2),
    falls: makes,
  },
  { command: 'debug node/{node} --image=x:1 --attach=false -- true', sees: onNode, falls: makes },
];

/** A fleet that a test answers by hand, and commands that are run against it as they are typed. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type ApiServer, startApiServer } from '@fleet/client/testing/api-server.ts';
import { onTestFinished, vi } from 'vitest';
import { createProgram } from '../program.ts';
import type { FakeCluster } from './fake-cluster.ts';

export interface FakeFleet {
  server: ApiServer;
  /** Path. */
  kubeconfig: string;
  /** The command behind `fleet`; both outputs, which an error has, too. */
  run(...command: string[]): Promise<{ stdout: string; stderr: string }>;
}

const resource = (plural: string, kind: string, group: string, shortName: string) => ({
  resource: plural,
  responseKind: { group, version: 'v1', kind },
  scope: 'Namespaced',
  singularResource: kind.toLowerCase(),
  shortNames: [shortName],
  verbs: ['get', 'list', 'watch'],
});

const discovery: Record<string, unknown> = {
  '/version': { gitVersion: 'v1.36.3+fleet.0.1.0' },
  '/api': {
    kind: 'APIGroupDiscoveryList',
    items: [{ metadata: {}, versions: [{ version: 'v1', resources: [resource('pods', 'Pod', '', 'po')] }] }],
  },
  '/apis': {
    kind: 'APIGroupDiscoveryList',
    items: [
      {
        metadata: { name: 'apps' },
        versions: [{ version: 'v1', resources: [resource('deployments', 'Deployment', 'apps', 'deploy')] }],
      },
    ],
  },
};

/** `answer` is asked for whatever is neither version nor discovery. */
export async function startFakeFleet(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<FakeFleet> {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-fake-'));
  const server = await startApiServer((request, response) => {
    const known = discovery[request.url!];
    if (known) response.end(JSON.stringify(known));
    else answer(request, response);
  });
  onTestFinished(async () => {
    await server[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(
    kubeconfig,
    JSON.stringify({
      'current-context': 'x',
      clusters: [{ name: 'x', cluster: { server: server.url } }],
      users: [{ name: 'x', user: { token: 't' } }],
      contexts: [{ name: 'x', context: { cluster: 'x', user: 'x', namespace: 'shop' } }],
    }),
  );
  // Behind the last of the words that name a command, and before `--`.
  const words = (command: string[]) => (['agent', 'describe', 'federation'].includes(command[0]!) ? command.length : 1);
  // Completion knows no flags of its own: those of the line that is completed are arguments.
  const hasFlag = (command: string[]) => !['completion', '__complete'].includes(command[0]!);
  const run = (...command: string[]) =>
    capture(hasFlag(command) ? command.toSpliced(words(command), 0, '--fleet-kubeconfig', kubeconfig) : command);
  return { server, kubeconfig, run };
}

/** A fleet whose control plane answers, and which has no members. */
export const startFakeFleetOver = (controlPlane: FakeCluster): Promise<FakeFleet> =>
  startFakeFleet(async (request, response) => {
    const { signal } = new AbortController();
    const body = await buffer(request);
    const path = request.url!.replace(/^\/clusterspaces\/karmada/, '');
    const call = { method: request.method!, path, headers: {}, signal, ...(body.length > 0 ? { body } : {}) };
    const reply = await controlPlane.upstream.call(call);
    response.writeHead(reply.status).end(await reply.body.bytes());
  });

async function capture(command: string[]): Promise<{ stdout: string; stderr: string }> {
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
      written[name] += Buffer.from(chunk as string).toString();
      return true;
    }),
  );
  try {
    await createProgram().parseAsync(command, { from: 'user' });
  } catch (error) {
    throw Object.assign(error as Error, written);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return written;
}

/** Every command refuses an API server that is not a fleet, with the same error, before it reads or changes anything. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiServer, startApiServer } from '@fleet/client/testing/api-server.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { describe as messageOf } from '../errors.ts';
import { createProgram } from '../program.ts';

let server: ApiServer;
let folder: string;
let kubeconfig: string;
let gitVersion: string;
let code: number;

beforeEach(async () => {
  gitVersion = 'v1.36.3';
  code = 200;
  server = await startApiServer((request, response) => {
    const known = request.url === '/version';
    response.writeHead(known ? code : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(known ? { gitVersion } : { kind: 'Status', code: 404, message: 'not found' }));
  });
  folder = await mkdtemp(join(tmpdir(), 'fleet-ordinary-'));
  kubeconfig = join(folder, 'kubeconfig');
  const config = {
    'current-context': 'mine',
    clusters: [{ name: 'mine', cluster: { server: server.url } }],
    users: [{ name: 'me', user: { token: 't' } }],
    contexts: [{ name: 'mine', context: { cluster: 'mine', user: 'me' } }],
  };
  await writeFile(kubeconfig, JSON.stringify(config));
});

afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const commands = [
  ['get', 'clusters'],
  ['get', 'clusters', 'member1'],
  ['describe', 'cluster', 'member1'],
  ['use', 'karmada'],
  ['use', 'all'],
  ['use', 'member1'],
  ['kubeconfig'],
  ['kubeconfig', '--cluster', 'karmada'],
  ['unjoin', 'member1'],
  ['unjoin', 'member1', '--force'],
  ['join', 'member1', '--kubeconfig', 'the same'],
  ['unjoin', 'member1', '--kubeconfig', 'the same'],
  ['version'],
];

const run = (command: readonly string[]) =>
  createProgram().parseAsync(
    [...command.map((word) => (word === 'the same' ? kubeconfig : word)), '--fleet-kubeconfig', kubeconfig],
    { from: 'user' },
  );

describe('an API server that is no fleet', () => {
  test.each(commands.map((command) => ({ command, text: command.join(' ') })))('fleet $text', async ({ command }) => {
    const before = await readFile(kubeconfig, 'utf8');
    const error = await run(command).catch((thrown: unknown) => thrown);
    expect(messageOf(error)).toBe(
      `no fleet answers at ${server.url}. ${kubeconfig} (--fleet-kubeconfig) is of another server: ` +
        "name the fleet's kubeconfig with --fleet-kubeconfig or FLEET_KUBECONFIG",
    );
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /version']);
    expect(await readFile(kubeconfig, 'utf8')).toBe(before);
  });

  test('one that does not accept the credential is named, with the file', async () => {
    code = 401;
    await expect(run(['get', 'clusters'])).rejects.toThrow(
      `${server.url} does not accept the credential in ${kubeconfig} (--fleet-kubeconfig)`,
    );
  });

  test.each(['v1.36.3+fleet.0.1.0', 'v1.34.4+k3s1.fleet.0.1.0'])('%s is one', async (version) => {
    gitVersion = version;
    await run(['use', 'karmada']);
    expect(await readFile(kubeconfig, 'utf8')).toContain('current-context: fleet-karmada');
  });
});

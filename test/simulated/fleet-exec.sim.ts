/** `fleet exec` and `fleet logs` by a name with its cluster, on pods that run. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type SimulatedFleet, startFleet } from './src/fleet.ts';
import { command } from './src/product.ts';

let fleet: SimulatedFleet;

beforeAll(async () => {
  fleet = await startFleet({ members: [] });
  const { client } = await fleet.add('member1', { factor: 100 });
  const containers = ['main', 'beside'].map((name) => ({ name, image: 'postgres:18.1' }));
  await client.create('/api/v1/namespaces/default/pods', { metadata: { name: 'x' }, spec: { containers } });
  await vi.waitUntil(
    async () => {
      const pod = await client.get<{ status?: { phase?: string } }>('/api/v1/namespaces/default/pods/x');
      return pod.status?.phase === 'Running';
    },
    { timeout: 30_000, interval: 100 },
  );
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

async function run(args: string[], input?: string) {
  const child = spawn(process.execPath, [command, ...args], {
    env: { ...process.env, FLEET_KUBECONFIG: fleet.product.adminKubeconfig },
  });
  child.stdin.end(input);
  const [[code], stdout, stderr] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  return { code: code as number, stdout, stderr };
}

const pod = 'x.clusterspace.member1';

test('outputs are apart, and the exit code is that of the command', async () => {
  const script = 'echo out; echo err >&2; exit 3';
  expect(await run(['exec', pod, '-c', 'main', '--', 'sh', '-c', script])).toEqual({
    code: 3,
    stdout: 'out\n',
    stderr: 'err\ncommand terminated with exit code 3\n',
  });
});

test('input is handed on, and its end', async () => {
  const input = `${'a line of some length\n'.repeat(5_000)}the last\n`;
  expect(await run(['exec', '-i', pod, '-c', 'main', '--', 'cat'], input)).toEqual({
    code: 0,
    stdout: input,
    stderr: '',
  });
});

test('the first of several containers is taken, and a message names it', async () => {
  expect(await run(['logs', 'x', '-n', 'default.clusterspace.member1', '--tail', '1'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^.+\n$/),
    stderr: 'Defaulted container "main" out of: main, beside\n',
  });
});

test('a pod that is not there', async () => {
  expect(await run(['exec', 'y.clusterspace.member1', '--', 'ls'])).toMatchObject({
    code: 1,
    stderr: 'error: pods "y.clusterspace.member1" not found\n',
  });
});

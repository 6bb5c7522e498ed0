/** `fleet create user`: the certificate is accepted, and the commands that it prints grant what their names promise, unchanged. */

import { mkdir, symlink } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SimulatedFleet, startFleet } from './src/fleet.ts';
import { hasKubectl } from './src/kubectl.ts';
import { command, run } from './src/product.ts';

let fleet: SimulatedFleet;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  fleet = await startFleet({ members: ['member1'] });
  const bin = join(fleet.folder, 'bin');
  await mkdir(bin);
  await symlink(command, join(bin, 'fleet'));
  // The command needs the Node of this test, whichever is in the PATH.
  await symlink(process.execPath, join(bin, 'node'));
  const { PATH = '' } = process.env;
  env = { PATH: `${bin}${delimiter}${PATH}`, FLEET_KUBECONFIG: fleet.product.adminKubeconfig, KUBECONFIG: '' };
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

const shell = (script: string) => run('sh', ['-c', `cd '${fleet.folder}' && ${script}`], env);

test.skipIf(!hasKubectl)(
  'AUTHN-3, AUTHZ-1: a new user reaches what the printed commands grant, and another nothing',
  async () => {
    const created = await shell('fleet create user alice --group developers --valid-for 1h');
    expect(created, created.stderr).toMatchObject({ code: 0 });
    const [grants, look] = created.stdout.split('\n# What alice sees then');
    expect(look).toContain('kubectl --kubeconfig alice.kubeconfig get pods -A');
    const granted = await shell(`set -e\n${grants}`);
    expect(granted, granted.stderr).toMatchObject({ code: 0 });
    const list = (user: string) =>
      shell(`kubectl --kubeconfig ${user}.kubeconfig get configmaps -n kube-system -o name`);
    expect((await list('alice')).stdout).toContain('configmap/kube-root-ca.crt.clusterspace.member1');
    expect(await shell('fleet create user bob')).toMatchObject({ code: 0 });
    expect(await list('bob')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('User "bob" cannot list resource "clusterspaces"'),
    });
  },
);

/** kubectl on KubeSphere's form of Clusters: apply, explain, wait, get, patch, delete; and two planted bugs. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SimulatedFleet, startFleet } from './src/fleet.ts';
import { hasKubectl } from './src/kubectl.ts';
import { type Ran, run } from './src/product.ts';

let fleet: SimulatedFleet;
let file: string;

beforeAll(async () => {
  if (!hasKubectl) return;
  fleet = await startFleet({ members: ['rohan'] });
  file = join(fleet.folder, 'gondor.yaml');
  await writeFile(file, released());
});
afterAll(() => fleet?.[Symbol.asyncDispose]());

/** As KubeSphere's releases have it: `joinFederation`, `enable`, and a kubeconfig in base64. */
const released = (provider = 'kubekey') => `apiVersion: cluster.kubesphere.io/v1alpha1
kind: Cluster
metadata:
  name: gondor
  labels:
    cluster.kubesphere.io/group: production
  annotations:
    kubesphere.io/creator: admin
spec:
  joinFederation: true
  enable: true
  provider: ${provider}
  connection:
    type: direct
    kubeconfig: ${Buffer.from(fleet.members.get('rohan')!.kubeconfig).toString('base64')}
`;

const clusters = 'clusters.cluster.kubesphere.io';

function kubectl(line: string): Promise<Ran> {
  const env = { KUBECONFIG: fleet.product.adminKubeconfig, KUBECACHEDIR: join(fleet.folder, 'cache') };
  return run('kubectl', line.split(' '), env);
}

async function printed(line: string): Promise<string> {
  const { code, stdout, stderr } = await kubectl(line);
  expect(code, `${line}\n${stdout}${stderr}`).toBe(0);
  return stdout;
}

describe.skipIf(!hasKubectl)('KS-1: kubectl', () => {
  test('applies a Cluster as KubeSphere released it, and waits for it', async () => {
    expect(await printed(`apply -f ${file}`)).toBe('cluster.cluster.kubesphere.io/gondor created\n');
    await printed(`wait ${clusters}/gondor --for=condition=Ready --timeout=30s`);
    await printed(`wait ${clusters}/gondor --for=jsonpath={.spec.active}=true --timeout=10s`);
    const shown = await printed(`get ${clusters} gondor -o yaml`);
    expect(shown).toContain('last-applied-configuration');
    expect(shown).not.toContain('kubeconfig');
    expect(await printed('get clusters.cluster.karmada.io gondor -o yaml')).not.toContain('kubeconfig":');
  });

  test('applies it again: what others have set stays, what was taken out goes', async () => {
    await printed(`annotate ${clusters} gondor by=hand`);
    await printed('label clusters.cluster.karmada.io gondor through=karmada');
    await writeFile(file, released('vagrant').replace('    kubesphere.io/creator: admin\n', ''));
    expect(await printed(`apply -f ${file}`)).toBe('cluster.cluster.kubesphere.io/gondor configured\n');
    const shown = await printed(`get ${clusters} gondor -o json`);
    const { metadata, spec } = JSON.parse(shown) as { metadata: object; spec: object };
    expect(metadata).toMatchObject({ annotations: { by: 'hand' }, labels: { through: 'karmada' } });
    expect(metadata).not.toHaveProperty('annotations.kubesphere\\.io/creator');
    expect(spec).toMatchObject({ provider: 'vagrant', federated: true });
  });

  test('applies the other form to the same Cluster: each has its own note of what was applied', async () => {
    const other = join(fleet.folder, 'karmada.json');
    const object = JSON.parse(await printed('get clusters.cluster.karmada.io gondor -o json')) as {
      metadata: object;
      spec: { region?: string };
    };
    object.metadata = { name: 'gondor' };
    object.spec.region = 'south';
    await writeFile(other, JSON.stringify(object));
    await printed(`apply -f ${other}`);
    expect(await printed(`apply -f ${file}`)).toContain('gondor ');
    expect(await printed(`get ${clusters} gondor -o jsonpath={.status.region},{.spec.provider}`)).toBe('south,vagrant');
  });

  test('refuses unknown fields before anything is sent, and server-side apply', async () => {
    const wrong = join(fleet.folder, 'wrong.yaml');
    await writeFile(wrong, released().replace('provider:', 'provdier:'));
    expect(await kubectl(`apply -f ${wrong}`)).toMatchObject({ code: 1, stderr: expect.stringContaining('provdier') });
    expect(await kubectl(`apply --server-side -f ${file}`)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('clusters.cluster.karmada.io'),
    });
  });

  test('explains it', async () => {
    const explained = await printed(`explain ${clusters}.spec.connection`);
    expect(explained).toMatch(/GROUP:\s+cluster.kubesphere.io/);
    expect(explained).toMatch(/kubesphereAPIEndpoint\s+<string>/);
    expect(await printed('explain agents.cluster.kubesphere.io.spec')).toMatch(/secretRef/);
  });

  test('lists, patches, and deletes', async () => {
    expect(await printed(`get ${clusters}`)).toMatch(/NAME\s+FEDERATED\s+PROVIDER\s+ACTIVE\s+VERSION\s+READY\s+AGE\n/);
    expect(await printed('get clusters')).toMatch(/NAME\s+VERSION\s+MODE\s+READY/);
    expect(await printed(`get ${clusters} -l through=karmada -o name`)).toBe('cluster.cluster.kubesphere.io/gondor\n');
    await printed(`patch ${clusters} gondor --type=json -p [{"op":"replace","path":"/spec/enable","value":false}]`);
    expect(await printed(`get ${clusters} gondor -o jsonpath={.spec.active}`)).toBe('false');
    expect(await printed('get agents.cluster.kubesphere.io -o name')).toContain('agent.cluster.kubesphere.io/gondor');
    expect(await printed(`delete ${clusters} gondor --timeout=30s`)).toContain('"gondor" deleted');
    expect(await printed(`get ${clusters} -o name`)).toBe('cluster.cluster.kubesphere.io/rohan\n');
  });
});

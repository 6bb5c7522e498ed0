/** kubectl on a fleet of simulated clusters: what people do in a day, by names with their cluster. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type SimulatedFleet, startFleet } from './src/fleet.ts';
import { hasKubectl } from './src/kubectl.ts';
import { type Ran, run } from './src/product.ts';

let fleet: SimulatedFleet;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  if (!hasKubectl) return;
  fleet = await startFleet({ members: [] });
  await Promise.all(['member1', 'member2'].map((name) => fleet.add(name, { factor: 20 })));
  env = { KUBECONFIG: fleet.product.adminKubeconfig, KUBECACHEDIR: join(fleet.folder, 'cache') };
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

const kubectl = (line: string): Promise<Ran> => run('kubectl', line.split(' '), env);

async function printed(line: string): Promise<string> {
  const { code, stdout, stderr } = await kubectl(line);
  expect(code, `${line}\n${stdout}${stderr}`).toBe(0);
  return stdout;
}

function started(line: string): ChildProcess {
  const child = spawn('kubectl', line.split(' '), {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill());
  return child;
}

const deployment = (name: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'default' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx:1' }] } },
  },
});

const one = 'web.clusterspace.member1';

describe.skipIf(!hasKubectl)('kubectl', () => {
  test('apply, in two clusters at once; again, nothing has changed', async () => {
    const file = join(fleet.folder, 'web.json');
    const items = ['member1', 'member2'].map((cluster) => deployment(`web.clusterspace.${cluster}`));
    await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    expect(await printed(`apply -f ${file}`)).toMatch(/member1 created\n.*member2 created\n$/);
    expect(await printed(`apply -f ${file}`)).toMatch(/member1 unchanged\n.*member2 unchanged\n$/);
    for (const cluster of ['member1', 'member2'])
      await printed(`rollout status deployment/web.clusterspace.${cluster} --timeout=60s`);
    expect(
      (await printed('get pods -l app=web -o name')).match(/^pod\/web-.*\.clusterspace\.member[12]$/gm),
    ).toHaveLength(4);
  });

  test('set image, rollout history and undo', async () => {
    await printed(`set image deployment/${one} web=nginx:2`);
    await printed(`rollout status deployment/${one} --timeout=60s`);
    expect(await printed(`rollout history deployment/${one}`)).toMatch(/^1 .*\n2 /m);
    await printed(`rollout undo deployment/${one}`);
    await printed(`rollout status deployment/${one} --timeout=60s`);
    expect(await printed(`get deployment ${one} -o jsonpath={.spec.template.spec.containers[0].image}`)).toBe(
      'nginx:1',
    );
  });

  test('scale, and wait', async () => {
    await printed(`scale deployment/${one} --replicas=3`);
    await printed(`wait deployment/${one} --for=jsonpath={.status.availableReplicas}=3 --timeout=60s`);
  });

  test('get --watch sees a change in one of them', async () => {
    const watching = started('get configmaps -l watched --watch -o name');
    const lines = createInterface(watching.stdout!)[Symbol.asyncIterator]();
    await printed('create configmap watched -n default.clusterspace.member2');
    await printed('label configmap watched -n default.clusterspace.member2 watched=yes');
    expect((await lines.next()).value).toBe('configmap/watched.clusterspace.member2');
  });

  test('logs, exec with its exit code, and port-forward to a pod of one of them', async () => {
    const [pod] = (await printed('get pods -l app=web,clusterspace=member2 -o name')).split('\n');
    expect((await printed(`logs ${pod} --tail=2`)).match(/\n/g)).toHaveLength(2);
    expect(await run('kubectl', ['exec', pod!, '--', 'sh', '-c', 'echo $HOSTNAME; exit 3'], env)).toMatchObject({
      code: 3,
      stdout: `${pod!.replace(/^pod\//, '').replace(/\.clusterspace\..*/, '')}\n`,
    });
    const forwarding = started(`port-forward ${pod} :80`);
    const [line] = (await once(createInterface(forwarding.stdout!), 'line')) as [string];
    const [, port] = /127\.0\.0\.1:(\d+)/.exec(line)!;
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toContain('web-');
  });

  test('top', async () => {
    expect((await printed('top pods -l app=web --no-headers')).match(/\.clusterspace\.member/g)?.length).toBe(5);
    expect(await printed('top nodes --no-headers')).toMatch(/\.clusterspace\.member2 /);
  });

  test('cordon, drain and uncordon a node of one of them', async () => {
    const [node] = (await printed('get nodes -l clusterspace=member1 -o name')).split('\n');
    expect(await printed(`drain ${node} --ignore-daemonsets --timeout=60s`)).toContain('drained');
    expect(await printed(`get ${node}`)).toContain('SchedulingDisabled');
    await printed(`uncordon ${node}`);
  });

  test('delete waits until all is gone', async () => {
    await printed(`delete deployment ${one} web.clusterspace.member2 --timeout=60s`);
    await printed('wait pods -l app=web --for=delete --timeout=60s');
    expect((await kubectl('get pods -l app=web')).stderr).toMatch(/^No resources found/);
  });
});

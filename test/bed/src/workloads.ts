import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Member } from './member.ts';
import { until } from './until.ts';

const manifests = join(import.meta.dirname, '..', 'manifests');

interface Pods {
  items: { metadata: { name: string }; status: { phase?: string } }[];
}

/** What the manifest makes: web 3, shell, x, dns 2, and the agent on each node. */
function expectedPods(nodes: number): number {
  return 3 + 2 + 2 + nodes;
}

/** Applies the manifests, and returns when all their pods run. */
export async function applyWorkloads(member: Member, nodes: number): Promise<void> {
  const kubectl = async (...args: Parameters<Member['kubectl']>) => {
    const { code, stderr } = await member.kubectl(...args);
    if (code !== 0) throw new Error(`kubectl ${args[0]} in ${member.name}: ${stderr}`);
  };
  await kubectl('apply', '-f', join(manifests, 'widgets-crd.yaml'));
  // By its own answer: `kubectl wait` fails on one that has no conditions yet.
  await until('widgets are served', async () => (await member.kubectl('get', 'widgets')).code === 0);
  const workloads = await readFile(join(manifests, 'workloads.yaml'), 'utf8');
  await kubectl('apply', '-f', '-', { stdin: workloads.replaceAll('MEMBER', member.name) });
  if (nodes === 0) return;
  await until(`the workloads of ${member.name} run`, async () => {
    const { items } = await member.api.object<Pods>('/api/v1/pods');
    return items.filter(({ status }) => status.phase === 'Running').length >= expectedPods(nodes);
  });
}

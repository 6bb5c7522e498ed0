/** Workloads of different members whose pods have the same labels: whose pods kubectl takes (NAME-11). */

import type { KubectlResult } from '@fleet/bed/kubectl.ts';
import type { Member } from '@fleet/bed/member.ts';
import type { Product } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { memberProxy } from '../fleet.ts';
import { type KubeObject, pathOf } from './cell.ts';

export const twins = ['m1', 'm2'] as const;
export type Twin = (typeof twins)[number];

/** How a Deployment is named, and where; `web` is in both members, `only-…` in one. */
export const addresses = {
  'suffixed name': { at: '', deployment: (member: Twin) => `web.clusterspace.${member}` },
  'plain name': { at: '', deployment: (member: Twin) => `only-${member}` },
  'clusters/*/proxy': { at: memberProxy('*'), deployment: (member: Twin) => `only-${member}` },
} as const;
export type Addressing = keyof typeof addresses;

const labels = { app: 'twin' };

/** A Deployment whose name no other member has, with pods that look like another member's. */
export async function startTwin(member: Member): Promise<void> {
  const path = pathOf('apps/v1/deployments');
  const name = `only-${member.name}`;
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'c:1' }] } };
  const body = { metadata: { name }, spec: { replicas: 2, selector: { matchLabels: labels }, template } };
  await member.api.object(path, { method: 'POST', body });
  await running(member, name);
}

const running = (member: Member, name: string): Promise<unknown> =>
  until(`${name} of ${member.name} runs`, async () => {
    const { spec, status } = await member.api.object<KubeObject>(`${pathOf('apps/v1/deployments')}/${name}`);
    return status.availableReplicas === spec.replicas;
  });

const ask = (
  product: Product,
  addressing: Addressing,
  member: Twin,
  [verb, ...args]: [string, ...string[]],
): Promise<KubectlResult> => {
  const { at, deployment } = addresses[addressing];
  return product.kubectl(verb, `deploy/${deployment(member)}`, ...args, at === '' ? {} : { at });
};

/** In which member a command ends up that is run in each one's Deployment. */
export const execReaches = (product: Product, addressing: Addressing): Promise<string[]> =>
  Promise.all(
    twins.map(async (member) => {
      const { stdout } = await ask(product, addressing, member, ['exec', '--', 'printenv', 'FLEET_BED_MEMBER']);
      return stdout.trim();
    }),
  );

/** The pod whose log is read, as its member calls it. */
export async function loggedPod(product: Product, addressing: Addressing, member: Twin): Promise<string> {
  const { stderr } = await ask(product, addressing, member, ['logs', '--tail=1']);
  return /using pod\/([^\s.]+)/.exec(stderr)?.[1] ?? stderr;
}

/** The names of the pods that the member's Deployment has itself, once they run: nodes may have been drained. */
export async function podsOf(member: Member, addressing: Addressing): Promise<string[]> {
  const isWeb = addressing === 'suffixed name';
  await running(member, isWeb ? 'web' : `only-${member.name}`);
  const selector = `app=${isWeb ? 'web' : labels.app}`;
  const { stdout } = await member.kubectl('get', 'pods', '-l', selector, '-o', 'jsonpath={.items[*].metadata.name}');
  return stdout.split(' ');
}

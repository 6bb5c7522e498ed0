/** The example webhook of this repository, where Karmada's specs expect the one of Karmada, which answers for the same kind. */

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import type { Member } from '@fleet/bed/member.ts';
import { createAuthority } from '@fleet/bed/pki.ts';
import { createWebhook } from '../../../../examples/exploring-webhook/server.ts';

const example = new URL('../../../../examples/exploring-webhook/', import.meta.url);
const read = (file: string): Promise<string> => readFile(new URL(file, example), 'utf8');

/** The kind is in the control plane and in the members, as a policy of Karmada's own setup propagates it. */
export async function startWorkloadWebhook(controlPlane: Member, members: readonly Member[]): Promise<AsyncDisposable> {
  const authority = await createAuthority('workload-webhook');
  const server = createWebhook(await authority.issue({ name: 'localhost', dns: ['localhost'] }));
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const crd = await read('crd.yaml');
  const configuration = (await read('interpreter-configuration.yaml'))
    .replace('$' + '{CA_BUNDLE}', Buffer.from(authority.cert).toString('base64'))
    .replace('8443', String((server.address() as AddressInfo).port));
  await Promise.all([controlPlane, ...members].map((cluster) => apply(cluster, crd)));
  await apply(controlPlane, configuration);
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export async function apply(cluster: Member, stdin: string): Promise<void> {
  const { code, stderr } = await cluster.kubectl('apply', '-f', '-', { stdin });
  if (code !== 0) throw new Error(`${cluster.name}: ${stderr}`);
}

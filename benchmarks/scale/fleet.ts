/** The product with its embedded control plane and the simulated members, each a process of its own, and the members joined. */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { concurrently } from '@fleet/cli/concurrently.ts';
import { retryUnreachable } from '@fleet/cli/demo/retry-unreachable.ts';
import type { GrantedKinds } from '@fleet/cli/join/grants.ts';
import { join as joinFleet } from '@fleet/cli/join/join.ts';
import { Progress } from '@fleet/cli/progress.ts';
import { HttpsUpstream } from '@fleet/client/https-upstream.ts';
import { KubeClient } from '@fleet/client/kube-client.ts';
import { loadEndpoint } from '@fleet/client/kubeconfig.ts';
import { writePrivate } from '@fleet/client/private-file.ts';
import { fleetServe, type ServeOptions } from '../embedded/fleet-serve.ts';
import type { Side } from '../embedded/side.ts';
import type { Server } from './list-and-watch-client.ts';
import type { StartedMember } from './members.ts';

export interface Fleet extends AsyncDisposable {
  product: Side;
  pid: number;
  /** Path. */
  kubeconfig: string;
  /** Milliseconds until it was ready. */
  startMillis: number;
  /** Registers them, some at a time, and waits until all are Ready. Returns how clients reach them directly. */
  join(members: readonly StartedMember[]): Promise<Server[]>;
  /** How clients reach the product. */
  server: Server;
}

const readyWithin = 300_000;
/** Of many at once steps would not be read. */
const silent = new Progress({ write: () => {} });

export interface FleetOptions extends ServeOptions, GrantedKinds {}

export async function startFleet({ cacheKinds, federationKinds, ...options }: FleetOptions = {}): Promise<Fleet> {
  const product = await fleetServe(options);
  const startMillis = await product.start();
  const folder = join(product.spec.folder, 'members');
  await mkdir(folder);
  const { ca, admin } = product.credentials;
  const kubeconfig = join(product.spec.folder, 'data/admin.kubeconfig');
  return {
    product,
    pid: product.pids[0]!,
    kubeconfig,
    startMillis,
    server: { name: 'fleet', url: product.spec.origin, ca, ...admin },
    async join(members) {
      const endpoint = await loadEndpoint(kubeconfig);
      await using upstream = new HttpsUpstream({ ...endpoint, url: `${product.spec.origin}/clusterspaces/karmada` });
      const controlPlane = new KubeClient(upstream, 'bench');
      const servers: Server[] = [];
      const { signal } = new AbortController();
      await concurrently(members, signal, async ({ name, kubeconfig }) => {
        const path = join(folder, name);
        await writePrivate(path, kubeconfig);
        const member = await loadEndpoint(path);
        await using own = new HttpsUpstream(member);
        const parts = { member: new KubeClient(own, 'bench'), controlPlane, progress: silent, signal };
        await retryUnreachable(
          () =>
            joinFleet({ name, endpoint: member, bindAdmins: true, readyWithin, cacheKinds, federationKinds }, parts),
          signal,
        );
        const { ca, cert, key } = member.tls;
        servers.push({ name, url: member.url, ca: ca!, cert: cert!, key: key! });
      });
      return servers;
    },
    [Symbol.asyncDispose]: () => product[Symbol.asyncDispose](),
  };
}

/** What the pipeline of one process works with. */

import type { KubeClient } from '@fleet/client/kube-client.ts';
import type { RunParts } from '@fleet/federation/run-federation.ts';
import { servedKinds } from '@fleet/federation/testing/fake-pipeline.ts';
import type { Gate } from './gate.ts';
import type { World } from './world.ts';

/** With an existing control plane: what policies are refused for is an object of it. */
export function partsOf({ controlPlane, members }: World, gate: Gate, warn: RunParts['log']['warn']): RunParts {
  const clients = new Map<string, KubeClient>();
  return {
    controlPlane: gate.to('control plane', controlPlane),
    connections: {
      client(cluster) {
        const member = members.get(cluster);
        if (!member) return undefined;
        const client = clients.get(cluster) ?? gate.to(cluster, member);
        clients.set(cluster, client);
        return client;
      },
    },
    served: { current: () => servedKinds, onChange: () => ({ [Symbol.dispose]() {} }) },
    scheduling: { isFederated: () => true, isActive: () => true },
    hooks: { resolveService: () => undefined },
    log: { info() {}, warn },
    isEmbedded: false,
    turnOffPause: 20,
  };
}

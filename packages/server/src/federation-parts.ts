/** Builds federation where it is on: its kinds in the control plane, and its controllers in the replica that leads. */

import { hostname } from 'node:os';
import { KubeClient } from '@fleet/client/kube-client.ts';
import { LeaderElection } from '@fleet/client/leader-election.ts';
import type { ServedResources } from '@fleet/federation/federation.ts';
import { resourcesOf } from '@fleet/federation/kinds/kinds.ts';
import { runFederation } from '@fleet/federation/run-federation.ts';
import type { Config } from './config/config.ts';
import { installCrds } from './control-plane/bootstrap.ts';
import type { Discovery } from './discovery/discovery.ts';
import { federationLease } from './federation-leftovers.ts';
import { warnedOfPolicies } from './federation-warnings.ts';
import type { GatewayParts } from './gateway.ts';
import { serviceResolver } from './hook-services.ts';
import { federatedAnnotation } from './kubesphere/face-annotations.ts';
import { rulesOf } from './member-rules.ts';
import { isActive, secretsNamespace } from './members/cluster.ts';
import type { MemberRegistry } from './members/registry.ts';
import type { Logger } from './observe/log.ts';
import type { Metrics } from './observe/metrics.ts';
import { karmada } from './target/target.ts';
import { productVersion } from './version.ts';

const manifests = new URL('../../federation/manifests/', import.meta.url);

export interface FederatedParts {
  config: Config;
  controlPlane: KubeClient;
  members: MemberRegistry;
  discovery: Discovery;
  metrics: Metrics;
  log: Logger;
}

export interface OpenedFederation extends AsyncDisposable {
  /** Adds warnings about the stored object to an answer of the control plane. */
  warned: GatewayParts['warned'];
}

export async function openFederation(parts: FederatedParts): Promise<OpenedFederation> {
  const { config, controlPlane, members, discovery, metrics, log } = parts;
  await installCrds(controlPlane, manifests, log);
  const onError = (error: unknown) => log.warn({ err: error }, 'the election of the federation leader failed');
  const served = servedBy(discovery);
  const election = new LeaderElection({
    client: controlPlane,
    namespace: secretsNamespace,
    name: federationLease,
    identity: `${hostname()}_${crypto.randomUUID()}`,
    onError,
    async lead(signal) {
      log.info('this replica leads the federation');
      // The kinds that the control plane serves: without them, deleted Works would leave their objects behind.
      await discovery.apisOf(karmada);
      await runFederation(
        {
          controlPlane,
          connections: { client: clientsOf(members) },
          served,
          scheduling: {
            emptyWorkloads: config.federationEmptyWorkloads,
            isFederated: ({ metadata }) => metadata.annotations?.[federatedAnnotation] !== 'false',
            isActive,
          },
          hooks: {
            resolveService: serviceResolver(config.federationServices, (name) => members.connected(name)?.control),
            canDial: rulesOf(config).canDial,
          },
          onHookCall: metrics.hooks.called,
          log,
          isEmbedded: config.controlPlane === undefined,
        },
        signal,
      );
    },
  });
  return {
    warned: warnedOfPolicies(() => served.current()),
    [Symbol.asyncDispose]: () => election[Symbol.asyncDispose](),
  };
}

/** One client per connection, so that a member that is joined again gets a new one. */
function clientsOf(members: MemberRegistry): (cluster: string) => KubeClient | undefined {
  const clients = new WeakMap<object, KubeClient>();
  return (cluster) => {
    const member = members.connected(cluster) ?? members.leaving(cluster);
    if (!member) return undefined;
    const client = clients.get(member) ?? new KubeClient(member.control, `fleet/${productVersion}`);
    clients.set(member, client);
    return client;
  };
}

const servedBy = (discovery: Discovery): ServedResources => ({
  current() {
    const served = discovery.servedBy(karmada);
    return served ? [...resourcesOf(served.core, served.groups)] : [];
  },
  onChange(call) {
    const changed = (name: string) => name === karmada && call();
    discovery.events.on('changed', changed);
    return { [Symbol.dispose]: () => void discovery.events.off('changed', changed) };
  },
});

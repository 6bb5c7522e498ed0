/** The tour of a demo with `--federation`: one template and its objects in three clusters. */

import { faultName, faultyRegion, registries, replicas, shares, storefront } from './storefront.ts';
import type { WrittenStop } from './tour.ts';

const tree = `fleet tree deployment/${storefront} -n ${storefront}`;
const inAll = (total: number, state: string): string[] =>
  shares(total).map(
    ({ cluster, replicas }) => `Cluster ${cluster}: ${replicas} replica${replicas === 1 ? '' : 's'}, ${state}`,
  );

/** `$DEMO` is the folder of its files. */
export const federationStops: readonly WrittenStop[] = [
  {
    needs: 'members',
    why: 'Three clusters, and one Deployment for all of them: a template in the control plane, and a policy that divides its replicas 3:2:1.',
    fleet: tree,
    shows: [`PropagationPolicy ${storefront}/${storefront}`, ...inAll(replicas.made, 'healthy'), 'All is well'],
  },
  {
    needs: 'storefront',
    why: 'The same in the clusters. An override gives Europe a registry of its own.',
    kubectl: `kubectl get deployments -n ${storefront} -o wide`,
    fleet: `fleet get deployments -n ${storefront} -o wide`,
    shows: [
      `${storefront}.clusterspace.frankfurt 3/3 ${registries.europe}/`,
      `${storefront}.clusterspace.virginia 2/2 ${registries.usual}/`,
      `${storefront}.clusterspace.tokyo 1/1 ${registries.usual}/`,
    ],
  },
  {
    needs: 'storefront',
    why: 'What would twelve replicas do? Nothing is written.',
    fleet: 'fleet schedule -f $DEMO/more.yaml --dry-run',
    shows: shares(replicas.scaled).map(({ cluster, replicas }) => `${cluster} ${replicas}`),
  },
  {
    needs: 'storefront',
    why: 'Scale the template; its clusters follow.',
    kubectl: `kubectl --server $FLEET/clusterspaces/karmada scale deployment/${storefront} -n ${storefront} --replicas=${replicas.scaled}`,
    shows: ['scaled'],
  },
  {
    needs: 'storefront',
    why: 'How far it is.',
    kubectl: tree,
    shows: [...inAll(replicas.scaled, 'healthy'), 'All is well'],
  },
  {
    needs: 'storefront',
    why: `Break one cluster: settings for its region with which the pods do not start.`,
    kubectl: 'kubectl --server $FLEET/clusterspaces/karmada apply -f $DEMO/fault.yaml',
    shows: [`overridepolicy.policy.karmada.io/${faultName}`],
  },
  {
    needs: 'storefront',
    why: 'Where does it stand, and what went wrong first?',
    kubectl: tree,
    shows: [
      `Cluster ${faultyRegion.cluster}: unhealthy`,
      `First fault: in ${faultyRegion.cluster}, unhealthy: CrashLoopBackOff`,
    ],
  },
  {
    needs: 'storefront',
    why: 'Take the settings back, and scale the template down again.',
    kubectl:
      `kubectl --server $FLEET/clusterspaces/karmada delete overridepolicy ${faultName} -n ${storefront}` +
      ` && kubectl --server $FLEET/clusterspaces/karmada scale deployment/${storefront} -n ${storefront} --replicas=${replicas.made}`,
    shows: ['deleted', 'scaled'],
  },
  {
    needs: 'storefront',
    why: 'All is well again.',
    kubectl: tree,
    shows: [...inAll(replicas.made, 'healthy'), 'All is well'],
  },
  {
    needs: 'members',
    why: 'Keep a cluster out of new schedules. What runs there stays.',
    fleet: `fleet cordon ${faultyRegion.cluster} && fleet describe cluster ${faultyRegion.cluster}`,
    shows: ['Taints: cluster.karmada.io/unschedulable:NoSchedule'],
  },
  {
    needs: 'members',
    why: 'And take it back.',
    fleet: `fleet uncordon ${faultyRegion.cluster}`,
    shows: [`${faultyRegion.cluster} is uncordoned`],
  },
];

/** The tour of a demo: what is printed, and what `--exit-after-check` runs. */

import { brokenDatabase, cartVersions, outdatedCart } from './shop.ts';

export interface Stop {
  /** Why one would type it, and what to expect. */
  why: string;
  /** A line for a shell with the demo's KUBECONFIG and PATH. */
  line: string;
  /** What its output shows when it works. */
  shows: RegExp[];
}

interface WrittenStop extends Omit<Stop, 'line'> {
  /** Undefined: as with `fleet`. */
  kubectl?: string;
  /** Undefined: only kubectl can do it. */
  fleet?: string;
}

const stops: readonly WrittenStop[] = [
  {
    why: 'Three clusters of three versions.',
    fleet: 'fleet get clusters',
    shows: [/^frankfurt +v1\.36/m, /^virginia +v1\.35/m, /^tokyo +v1\.34.* True/m],
  },
  {
    why: "The shop's Deployments in all of them, one list. A name says where: name.clusterspace.cluster",
    kubectl: 'kubectl get deployments -n shop',
    fleet: 'fleet get deployments -n shop',
    shows: [
      /^frontend\.clusterspace\.frankfurt +3\/3/m,
      /^frontend\.clusterspace\.virginia +3\/3/m,
      /^frontend\.clusterspace\.tokyo +3\/3/m,
    ],
  },
  {
    why: `The orders' database, by label: the one in ${brokenDatabase} does not start.`,
    kubectl: 'kubectl get pods -n shop -l app=orders-db',
    fleet: 'fleet get pods -n shop -l app=orders-db',
    shows: [/^orders-db-0\.clusterspace\.frankfurt +1\/1 +Running/m, /^orders-db-0\.clusterspace\.tokyo +0\/1/m],
  },
  {
    why: 'Its log, in whatever cluster it is, has the reason.',
    kubectl: `kubectl logs -n shop orders-db-0.clusterspace.${brokenDatabase} --tail=2`,
    fleet: `fleet logs -n shop orders-db-0.clusterspace.${brokenDatabase} --tail 2`,
    shows: [/FATAL: +data directory/],
  },
  {
    why: `The same software everywhere? ${outdatedCart} was forgotten: cart ${cartVersions.outdated} instead of ${cartVersions.current}.`,
    kubectl: 'kubectl get deployments -n shop -l app=cart -o wide',
    fleet: 'fleet get deployments -n shop -l app=cart -o wide',
    shows: [/^cart\.clusterspace\.frankfurt .*cart:2\.4\.1/m, /^cart\.clusterspace\.tokyo .*cart:2\.4\.1/m],
  },
  {
    why: 'Put right, and followed until all new pods are there.',
    kubectl:
      `kubectl set image -n shop deployment/cart.clusterspace.${outdatedCart} cart=registry.example.com/shop/cart:${cartVersions.current}` +
      ` && kubectl rollout status -n shop deployment/cart.clusterspace.${outdatedCart} --timeout=60s`,
    shows: [/successfully rolled out/],
  },
  {
    why: 'A command in a container, with its exit code.',
    kubectl: `kubectl exec -n shop orders-db-0.clusterspace.frankfurt -- sh -c 'echo hello from $HOSTNAME; exit 3' || echo "exit code $?"`,
    fleet: `fleet exec -n shop orders-db-0.clusterspace.frankfurt -- sh -c 'echo hello from $HOSTNAME; exit 3' || echo "exit code $?"`,
    shows: [/^hello from orders-db-0$/m, /^exit code 3$/m],
  },
  {
    why: 'One cluster as if it were alone.',
    kubectl: 'kubectl --server $FLEET/clusterspaces/tokyo get nodes',
    fleet: 'fleet use tokyo && fleet get nodes && fleet use all',
    shows: [/^\S+ +Ready .*v1\.34/m],
  },
  {
    why: 'Nobody has granted Alice anything: refused.',
    kubectl: 'kubectl get pods -n shop --as alice || echo refused',
    shows: [/^refused$/m],
  },
];

/** In the order of a story. `server`: the fleet's URL. */
export function tourOf(hasKubectl: boolean, server: string): Stop[] {
  return stops.flatMap(({ kubectl, fleet, why, shows }) => {
    const line = hasKubectl ? (kubectl ?? fleet) : fleet;
    return line === undefined ? [] : [{ why, line: line.replace('$FLEET', server), shows }];
  });
}

export const asText = (tour: readonly Stop[]): string => tour.map(({ why, line }) => `# ${why}\n${line}\n`).join('\n');

/** The tour of a demo: the commands that it prints, and that `--exit-after-check` runs. */

import { federationStops } from './federation-tour.ts';
import { shellQuote } from './shell-quote.ts';
import { brokenDatabase, cartVersions, outdatedCart } from './shop.ts';

export interface Stop {
  /** Why one would type it, and what to expect. */
  why: string;
  /** A line for a shell with the demo's KUBECONFIG and PATH. */
  line: string;
  /** Of lines that its output has when it works: words in their order, each the beginning of one in the line. */
  shows: string[];
}

/** What a stop is about, and a user of a kept demo may have changed since. */
export type Need = 'members' | 'shop' | 'outdated cart' | 'storefront';

export interface WrittenStop extends Omit<Stop, 'line'> {
  needs?: Need;
  /** Undefined: as with `fleet`. */
  kubectl?: string;
  /** Undefined: only kubectl can do it. */
  fleet?: string;
}

const stops: readonly WrittenStop[] = [
  {
    needs: 'members',
    why: 'Three clusters of three versions.',
    fleet: 'fleet get clusters',
    shows: ['frankfurt v1.36', 'virginia v1.35', 'tokyo v1.34 True'],
  },
  {
    needs: 'shop',
    why: "The shop's Deployments in all of them, one list. A name contains its cluster: name.clusterspace.cluster",
    kubectl: 'kubectl get deployments -n shop',
    fleet: 'fleet get deployments -n shop',
    shows: [
      'frontend.clusterspace.frankfurt 3/3',
      'frontend.clusterspace.virginia 3/3',
      'frontend.clusterspace.tokyo 3/3',
    ],
  },
  {
    needs: 'shop',
    why: `The orders' database, by label: the one in ${brokenDatabase} does not start.`,
    kubectl: 'kubectl get pods -n shop -l app=orders-db',
    fleet: 'fleet get pods -n shop -l app=orders-db',
    shows: ['orders-db-0.clusterspace.frankfurt 1/1 Running', 'orders-db-0.clusterspace.tokyo 0/1'],
  },
  {
    needs: 'shop',
    why: 'Its log, in whatever cluster it is, has the reason.',
    kubectl: `kubectl logs -n shop orders-db-0.clusterspace.${brokenDatabase} --tail=2`,
    fleet: `fleet logs -n shop orders-db-0.clusterspace.${brokenDatabase} --tail 2`,
    shows: ['FATAL: data directory'],
  },
  {
    needs: 'outdated cart',
    why: `The same software everywhere? ${outdatedCart} runs an older image: cart ${cartVersions.outdated} instead of ${cartVersions.current}.`,
    kubectl: 'kubectl get deployments -n shop -l app=cart -o wide',
    fleet: 'fleet get deployments -n shop -l app=cart -o wide',
    shows: [
      `cart.clusterspace.frankfurt registry.example.com/shop/cart:${cartVersions.current}`,
      `cart.clusterspace.tokyo registry.example.com/shop/cart:${cartVersions.current}`,
      `cart.clusterspace.${outdatedCart} registry.example.com/shop/cart:${cartVersions.outdated}`,
    ],
  },
  {
    needs: 'outdated cart',
    why: 'Fix it by the same name, and follow it until all new pods are there.',
    kubectl:
      `kubectl set image -n shop deployment/cart.clusterspace.${outdatedCart} cart=registry.example.com/shop/cart:${cartVersions.current}` +
      ` && kubectl rollout status -n shop deployment/cart.clusterspace.${outdatedCart} --timeout=60s`,
    shows: ['successfully rolled out'],
  },
  {
    needs: 'shop',
    why: 'A command in a container, with its exit code.',
    kubectl: `kubectl exec -n shop orders-db-0.clusterspace.frankfurt -- sh -c 'echo hello from $HOSTNAME; exit 3' || echo "exit code $?"`,
    fleet: `fleet exec -n shop orders-db-0.clusterspace.frankfurt -- sh -c 'echo hello from $HOSTNAME; exit 3' || echo "exit code $?"`,
    shows: ['hello from orders-db-0', 'exit code 3'],
  },
  {
    needs: 'members',
    why: 'One cluster as if it were alone.',
    kubectl: 'kubectl --server $FLEET/clusterspaces/tokyo get nodes',
    fleet: 'fleet use tokyo && fleet get nodes && fleet use all',
    shows: ['tokyo- Ready v1.34'],
  },
  {
    why: 'Nobody has granted Alice anything: refused.',
    kubectl: 'kubectl get pods -n shop --as alice || echo refused',
    shows: ['refused'],
  },
];

export interface TourOptions {
  hasKubectl: boolean;
  /** The fleet's URL. */
  server: string;
  lost?: ReadonlySet<Need>;
  /** The folder of the federation's files. Undefined: the tour of the shop. */
  federation?: string | undefined;
}

/** In the order of a story, without what cannot be shown any more. */
export function tourOf({ hasKubectl, server, lost = new Set(), federation }: TourOptions): Stop[] {
  const written = federation === undefined ? stops : federationStops;
  return written.flatMap(({ kubectl, fleet, needs, why, shows }) => {
    const line = hasKubectl ? (kubectl ?? fleet) : fleet;
    if (line === undefined || (needs && lost.has(needs))) return [];
    const whole = line.replaceAll('$FLEET', server).replaceAll('$DEMO', shellQuote(federation ?? ''));
    return [{ why, line: whole, shows }];
  });
}

export const asText = (tour: readonly Stop[]): string => tour.map(({ why, line }) => `# ${why}\n${line}\n`).join('\n');

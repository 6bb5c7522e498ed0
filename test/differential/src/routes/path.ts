/** A path in parts, and what can be odd about it: each oddity makes a path that Kubernetes does not have, or another one. */

import type { Random } from '../random.ts';
import { objectNames, type RouteResource, rootOf, routeResources } from './resources.ts';

export interface Parts {
  root: string[];
  /** `namespaces/x`, or nothing. */
  scope: string[];
  resource: string;
  name: string | undefined;
  below: string[];
}

export interface Places {
  /** Where the run's users have permissions. */
  readonly open: string;
  /** Where they have none. */
  readonly closed: string;
}

export const placesOf = (lane: number): Places => ({ open: `@{scope}-open-${lane}`, closed: '@{scope}-closed' });

const clusterKinds = routeResources.filter(({ namespaced }) => !namespaced);
const subresources = [...new Set(routeResources.flatMap((one) => one.subresources))];

export const segmentsOf = ({ root, scope, resource, name, below }: Parts): string[] => [
  ...root,
  ...scope,
  resource,
  ...(name === undefined ? [] : [name]),
  ...below,
];

/** The path as Kubernetes has it. */
export function rightParts(random: Random, one: RouteResource, places: Places): Parts {
  const named = random.chance(0.65);
  const below = named && one.subresources.length > 0 && random.chance(0.25) ? [random.pick(one.subresources)] : [];
  const known = one.names.length > 0 ? one.names : objectNames;
  return {
    root: rootOf(one),
    scope: one.namespaced ? ['namespaces', random.chance(0.92) ? places.open : places.closed] : [],
    resource: one.resource,
    name: named ? random.pick(known) : undefined,
    below,
  };
}

type Oddity = (parts: Parts, random: Random, places: Places) => Partial<Parts>;

/** Of the parts of a path. Weights: mixed scopes first, as what is authorised there may not be what is served. */
export const partOddities: Readonly<Record<string, readonly [weight: number, change: Oddity]>> = {
  'cluster kind in a namespace': [
    6,
    (_, random, { open }) => {
      const one = random.pick(clusterKinds);
      const name = random.pick(one.names.length > 0 ? one.names : objectNames);
      return {
        root: rootOf(one),
        scope: ['namespaces', open],
        resource: one.resource,
        name: random.chance(0.75) ? name : undefined,
        below: one.subresources.length > 0 && random.chance(0.25) ? [random.pick(one.subresources)] : [],
      };
    },
  ],
  'no namespace': [3, () => ({ scope: [] })],
  'namespace in a namespace': [
    3,
    (_, random, { open, closed }) => ({
      scope: ['namespaces', open, 'namespaces', random.pick([open, closed, 'kube-system'])],
    }),
  ],
  'another namespace': [
    2,
    (_, random, { closed }) => ({
      scope: ['namespaces', random.pick([closed, 'kube-system', 'default', '@{scope}-none'])],
    }),
  ],
  'scope without a name': [1, () => ({ scope: ['namespaces'] })],
  'subresource of another kind': [3, (_, random) => ({ below: [random.pick(subresources)] })],
  'unknown subresource': [1, ({ below }) => ({ below: [...below, 'nosuch'] })],
  'doubled subresource': [1, () => ({ below: ['status', 'status'] })],
  'subresource of a collection': [1, (_, random) => ({ name: random.pick(subresources), below: [] })],
  'another group': [2, (_, random) => ({ root: rootOf(random.pick(routeResources)) })],
  'unknown group': [1, (_, random) => ({ root: ['apis', random.pick(['nosuch.example.dev', 'core', '']), 'v1'] })],
  'unknown version': [
    1,
    ({ root }, random) => ({ root: [...root.slice(0, -1), random.pick(['v2', 'v9', 'v1beta1', 'V1'])] }),
  ],
  'root of the other form': [
    1,
    ({ root }) => ({ root: root[0] === 'api' ? ['apis', 'v1'] : ['api', ...root.slice(1)] }),
  ],
  'old prefix': [1, ({ root }, random) => ({ root: [...root, random.pick(['watch', 'watch', 'proxy', 'redirect'])] })],
  'unknown resource': [
    2,
    ({ resource }, random) => ({
      resource: random.pick([resource.toUpperCase(), resource.replace(/s$/, ''), `${resource}s`, '*', 'nosuches']),
    }),
  ],
};

/** Of its segments, whatever they are. */
export const segmentOddities: Readonly<Record<string, (segments: string[], random: Random) => void>> = {
  'doubled segment': (segments, random) => {
    const at = random.below(segments.length);
    segments.splice(at, 0, segments[at]!);
  },
  'doubled pair': (segments, random) => {
    const at = random.below(Math.max(1, segments.length - 1));
    segments.splice(at, 0, ...segments.slice(at, at + 2));
  },
  'dropped segment': (segments, random) => void segments.splice(random.below(segments.length), 1),
  'swapped segments': (segments, random) => {
    const at = random.below(Math.max(1, segments.length - 1));
    segments.splice(at, 2, ...segments.slice(at, at + 2).reverse());
  },
  'more segments': (segments, random) =>
    void segments.push(random.pick(['status', 'extra', 'namespaces', '@{scope}-closed'])),
  'empty segment': (segments, random) => void segments.splice(1 + random.below(segments.length), 0, ''),
};

/** Of how it is written. */
export const textOddities: Readonly<Record<string, (path: string, random: Random) => string>> = {
  'trailing slash': (path) => `${path}/`,
  'two trailing slashes': (path) => `${path}//`,
  'leading slash': (path) => `/${path}`,
  'encoded letter': (path, random) => {
    const letters = [...path.matchAll(/[a-z](?![^{]*\})/g)].map(({ index }) => index);
    const at = random.pick(letters);
    return `${path.slice(0, at)}%${path.charCodeAt(at).toString(16)}${path.slice(at + 1)}`;
  },
  semicolon: (path) => `${path};a=b`,
  'upper case root': (path) => path.replace(/^\/apis?/, (root) => root.toUpperCase()),
};

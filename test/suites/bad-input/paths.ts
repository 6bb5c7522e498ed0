/** Paths in every view, and how they are spoilt. */

import type { Random } from '@fleet/differential/random.ts';
import type { Kind } from './kinds.ts';
import { clusterOf, nameOf, namespace, objectNames } from './words.ts';

export interface FuzzPath {
  path: string;
  /** For the view that names its cluster there. */
  query: string;
}

const subresources = [
  ...[
    'status',
    'scale',
    'log',
    'exec',
    'attach',
    'portforward',
    'proxy',
    'proxy/',
    'proxy/a/b',
    'proxy/..',
    'eviction',
  ],
  ...['token', 'ephemeralcontainers', 'nosuch', '', 'binding', 'resize', 'finalize', 'approval', '%00', 'status/'],
];

const namespaceOf = (random: Random): string => nameOf(random, [namespace, namespace, namespace, 'default']);

/** Behind the version: `namespaces/x/pods/y/log`, with `clusterspaces/z` inside where it is given. */
function tailOf(random: Random, kind: Kind, named: boolean, inside: string): string {
  const parts: string[] = [];
  if (kind.namespaced && random.chance(0.85)) parts.push('namespaces', namespaceOf(random));
  if (inside) parts.push(inside);
  parts.push(kind.resource);
  if (named) parts.push(nameOf(random, objectNames));
  if (named && random.chance(0.15)) parts.push(random.pick(subresources));
  return parts.join('/');
}

const nowhere = [
  '/',
  '/api',
  '/apis',
  '/apis/',
  '/version',
  '/healthz',
  '/openapi/v3',
  '/nosuch',
  '/api/v1',
  '/apis/apps/v1',
  '/..',
  '//',
  '/%2e',
];

export function pathOf(random: Random, kind: Kind, named: boolean): FuzzPath {
  const cluster = clusterOf(random);
  const plain = (inside = '') =>
    random.chance(0.03) ? random.pick(nowhere) : `${kind.root}/${tailOf(random, kind, named, inside)}`;
  const chosen = random.weighted<() => FuzzPath>([
    [5, () => ({ path: plain(), query: '' })],
    [3, () => ({ path: `/clusterspaces/${cluster}${plain()}`, query: '' })],
    [3, () => ({ path: plain(`clusterspaces/${cluster}`), query: '' })],
    [3, () => ({ path: plain(), query: `clusterspace=${cluster}` })],
    [
      3,
      () => ({
        path: `/apis/cluster.karmada.io/v1alpha1/clusters/${random.pick(['*', '%2A', '%2a'])}/proxy${plain()}`,
        query: '',
      }),
    ],
  ])();
  return random.chance(0.06) ? { ...chosen, path: spoilt(random, chosen.path) } : chosen;
}

const inserted = [
  '/',
  '//',
  '%',
  '%2F',
  '%00',
  '..',
  '/../',
  '.',
  ';',
  '\\',
  '%5C',
  '@',
  '&',
  '=',
  '[',
  '"',
  '%25',
  '#',
  '?',
];

/** What a slip of the finger, or a probe, makes of a path. It still begins with a slash. */
function spoilt(random: Random, path: string): string {
  const at = 1 + random.below(path.length);
  const [before, after] = [path.slice(0, at), path.slice(at)];
  return random.pick([
    before + random.pick(inserted) + after,
    before + after.slice(1),
    before,
    `${path}/`,
    `/${path}`,
    before + encoded(after.slice(0, 1)) + after.slice(1),
    before + after.slice(0, 1).toUpperCase() + after.slice(1),
    `${path}${path}`,
  ]);
}

const encoded = (text: string): string =>
  [...text].map((one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');

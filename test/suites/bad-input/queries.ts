/** Query parameters: those of Kubernetes, the product's own, and what is none. */

import type { Random } from '@fleet/differential/random.ts';
import { clusterOf, nameOf, objectNames, versionOf } from './words.ts';

const selectorTerms = [
  ...['app=web', 'app in (web,db)', 'app notin (web)', '!app', 'app', 'app!=web', 'tier==x', 'clusterspace=member1'],
  ...[
    'clusterspace in (member1,member2)',
    'clusterspace!=member1',
    'clusterspace notin (nosuch)',
    'clusterspace=nosuch',
  ],
  ...['clusterspace', '!clusterspace', 'clusterspace=', 'clusterspace in ()', 'clusterspace in (', 'clusterspace>1'],
  ...[
    '=x',
    'a in',
    'a in (',
    'a=b=c',
    '!',
    'a>b',
    'two words',
    'a!!b',
    ',',
    'x/y/z=1',
    '(',
    ')',
    ' '.repeat(3_000),
    '\u00e9=1',
  ],
  ...[
    'app=x.clusterspace.member1',
    'app!=x.clusterspace.member1',
    'app in (a.clusterspace.member1,b.clusterspace.member2)',
  ],
];

const fields = [
  'metadata.name',
  'metadata.namespace',
  'involvedObject.name',
  'spec.nodeName',
  'status.phase',
  'nosuch',
  '',
];

function fieldTerm(random: Random): string {
  const value = random.chance(0.7)
    ? decoded(nameOf(random, objectNames))
    : random.pick(['', ' ', '\\', '\\,', 'a\\=b', '=']);
  return `${random.pick(fields)}${random.pick(['=', '=', '==', '!=', '', '=!', '>'])}${value}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const several = (random: Random, one: () => string): string =>
  Array.from(
    {
      length: random.weighted([
        [6, 1],
        [2, 2],
        [1, 4],
      ]),
    },
    one,
  ).join(random.pick([',', ',', ', ', ',,']));

type Values = (random: Random) => string;
const among =
  (...values: string[]): Values =>
  (random) =>
    random.pick(values);

const parameters: Record<string, Values> = {
  labelSelector: (random) => encodeURIComponent(several(random, () => random.pick(selectorTerms))),
  fieldSelector: (random) => encodeURIComponent(several(random, () => fieldTerm(random))),
  resourceVersion: versionOf,
  resourceVersionMatch: among('Exact', 'NotOlderThan', 'Sometimes', '', 'exact'),
  limit: among(
    '0',
    '1',
    '2',
    '3',
    '500',
    '-1',
    'many',
    '',
    '1.5',
    '99999999999999999999',
    '9223372036854775807',
    '0x1',
    '+2',
  ),
  continue: among(
    '{token}',
    '{token}',
    '{token}x',
    'x{token}',
    'nonsense',
    '',
    'bm9uc2Vuc2U=',
    '%00',
    'e30',
    'a'.repeat(9_000),
  ),
  timeout: among('1h', '30s', '0', '', 'abc', '-1s', '1e9s', '99999999999h', '1.5s', '.5s', '1d'),
  timeoutSeconds: among('1', '0', '-1', 'x', '99999999999999999999', ''),
  sendInitialEvents: among('true', 'false', 'perhaps', ''),
  allowWatchBookmarks: among('true', 'x'),
  partial: among('true', 'false', '', '1', 'TRUE'),
  fresh: among('true', 'x'),
  consistent: among('true', ''),
  clusterspace: clusterOf,
  pretty: among('true', '1', 'x'),
  dryRun: among('All', 'Some', ''),
  fieldManager: among('fuzz', '', 'x'.repeat(200), '%07'),
  fieldValidation: among('Strict', 'Warn', 'Ignore', 'Perhaps'),
  force: among('true', 'x'),
  propagationPolicy: among('Background', 'Sideways', 'Foreground'),
  gracePeriodSeconds: among('0', '-1', 'soon'),
  includeObject: among('Object', 'Metadata', 'None', 'Some'),
  container: among('c', '', '%00'),
  tailLines: among('1', '-1', 'x'),
};

const oddPairs = [
  '%zz',
  '=x',
  '=',
  '',
  'a;b=c',
  '?partial=true',
  'p%61rtial=true',
  'clusterspace',
  'limit',
  'a=b=c',
  '%00=1',
];

/** A watch would go on: it is asked for a second, and seldom. */
const watch = [
  'watch=true&timeoutSeconds=1',
  'watch=1&timeoutSeconds=1',
  'watch=true&timeoutSeconds=1&resourceVersion=0',
];

export function queryOf(random: Random): string {
  const count = random.weighted([
    [4, 0],
    [5, 1],
    [3, 2],
    [2, 4],
    [0.3, 12],
  ]);
  const pairs = Array.from({ length: count }, () => {
    if (random.chance(0.08)) return random.pick(oddPairs);
    const key = random.pick(Object.keys(parameters));
    return `${key}=${parameters[key]!(random)}`;
  });
  if (random.chance(0.015)) pairs.unshift(random.pick(watch));
  return pairs.join(random.chance(0.02) ? '&&' : '&');
}

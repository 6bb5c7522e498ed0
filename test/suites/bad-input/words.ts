/** What requests are made of, good and bad: names, namespaces, clusters, versions. */

import type { Random } from '@fleet/differential/random.ts';

/** Where the user may write. */
export const namespace = 'bad-input';

/** `shared-*` are in both members, `only-*` in one. */
export const objectNames = ['shared-0', 'shared-1', 'only-1', 'only-2', 'fresh-0', 'fresh-1', 'fresh-2'];

const oddClusters = [
  ...['nosuch', '', 'Member1', 'member1%20', '%6dember1', 'a'.repeat(300), 'member1.', '-', 'member1%00', '*', '%2A'],
  ...['host', 'fleet', 'clusterspace', 'all%2Fx', 'constructor', '__proto__', '%C3%A9', '%zz', '..', '%2e%2e'],
];

export const clusterOf = (random: Random): string =>
  random.weighted([
    [6, 'member1'],
    [4, 'member2'],
    [2, 'all'],
    [1, 'karmada'],
    [2, random.pick(oddClusters)],
  ]);

const oddNames = [
  ...['Upper', 'a_b', 'x'.repeat(300), '%20', '%00', '%', '%zz', '..', '.', '%2e%2e', '%2F', 'a%2Fb', '%5c', 'a%0Ab'],
  ...['a:b', 'http:shared-0:80', 'shared-0:80', ':', '::', '%C3%A9', '%ff', '*', '~', 'shared-0%3Fx', '%23'],
  ...['constructor', '__proto__', 'null', '0', '-', 'a..b', 'shared-0.', '.shared-0', 'system:node', ';a=b', ','],
  ...[
    '.clusterspace.',
    '.clusterspace.member1',
    'x.clusterspace.',
    'clusterspace',
    'clusterspaces',
    'namespaces',
    'watch',
  ],
];

/** Without a suffix, or with one, or with one too many. */
export function nameOf(random: Random, names: readonly string[]): string {
  const plain = random.chance(0.85) ? random.pick(names) : random.pick(oddNames);
  const suffix = () =>
    `${random.pick(['.clusterspace.', '.clusterspace.', '.Clusterspace.', '%2Eclusterspace.'])}${clusterOf(random)}`;
  return random.weighted([
    [5, () => plain],
    [5, () => `${plain}.clusterspace.${random.pick(['member1', 'member2'])}`],
    [2, () => plain + suffix()],
    [0.5, () => plain + suffix() + suffix()],
  ])();
}

const packed = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const versions = [
  ...[
    '',
    '0',
    '1',
    '5',
    '-1',
    '1.5',
    'abc',
    '0x10',
    '18446744073709551616',
    '%F0%9F%99%82',
    'null',
    '%00',
    '%20',
    '+1',
  ],
  ...['e30', 'eyJ', 'eyJ9', 'W10', 'bnVsbA', 'ImEi', 'e30=', 'e30%3D', '_-_-', packed({ member1: '1' })],
  ...[
    packed({ member1: '1', member2: '1' }),
    packed({ member1: 5 }),
    packed({ member1: null }),
    packed({ nosuch: '1' }),
  ],
  ...[
    packed({ member1: 'abc' }),
    packed({ member1: '' }),
    packed({ member1: '0', member2: '0' }),
    packed([['member1', '1']]),
  ],
  ...[packed({ member1: '1&limit=1' }), packed({ '': '1' }), packed({ karmada: '1' }), packed({ member1: ['1'] })],
  ...[
    'eyJfX3Byb3RvX18iOiIxIn0',
    packed({ constructor: '1' }),
    packed({ member1: '9'.repeat(40) }),
    'e30'.repeat(2_000),
  ],
];

/** Newer than anything known: kube-apiserver waits three seconds for it, so it is rare. */
const future = packed({ member1: '900000000000', member2: '1' });

export const versionOf = (random: Random): string => (random.chance(0.01) ? future : random.pick(versions));

/** As text, for bodies. */
export const plainVersionOf = (random: Random): string =>
  decodeURI(random.pick(versions.filter((text) => !/%/.test(text))));

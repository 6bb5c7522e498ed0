/** What `npm run pack` makes of one file, and which packages of others it takes along. The whole is `test/simulated/packed.bed.ts`. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packSource } from '../../../.ci/packed-source.ts';
import { type Lockfile, thirdParty } from '../../../.ci/third-party.ts';

const root = join(import.meta.dirname, '../../..');

describe('a packed file', () => {
  const packed = (text: string) => packSource('packages/server/src/bodies/a.ts', text);

  test('has no types, and its lines are where they were', () => {
    expect(packed('import type { B } from "./b.ts";\nconst x: number = 1;').text).toBe(
      `${' '.repeat('import type { B } from "./b.ts";'.length)}\nconst x         = 1;`,
    );
  });

  test.each([
    ["import { b } from './b.ts';", "import { b } from './b.js';", 'packages/server/src/bodies/b.ts'],
    ["import { b } from '../b.ts';", "import { b } from '../b.js';", 'packages/server/src/b.ts'],
    ["export * from '@fleet/kube/x/y.ts';", "export * from '../../../kube/src/x/y.js';", 'packages/kube/src/x/y.ts'],
    ["await import('@fleet/server/c.ts');", "await import('../c.js');", 'packages/server/src/c.ts'],
    ["new URL('thread.ts', x);", "new URL('./thread.js', x);", 'packages/server/src/bodies/thread.ts'],
    ["new URL('./thread.ts', x);", "new URL('./thread.js', x);", 'packages/server/src/bodies/thread.ts'],
  ])('%s', (text, expected, used) => expect(packed(text)).toEqual({ text: expected, uses: [used] }));

  test('others and data are named as before', () => {
    const text =
      "import { parse } from 'yaml';\nimport m from '../package.json' with { type: 'json' };\nnew URL('../../manifests/', x);";
    expect(packed(text)).toEqual({ text, uses: [] });
  });
});

describe('packages of others', () => {
  test('what they need comes along, from where Node finds it, without what is optional', () => {
    const packages: Lockfile['packages'] = {
      'node_modules/a': {
        dependencies: { b: '1' },
        peerDependencies: { d: '1', e: '1' },
        peerDependenciesMeta: { e: { optional: true } },
      },
      'node_modules/a/node_modules/b': { dependencies: { c: '1' } },
      'node_modules/b': {},
      'node_modules/c': {},
      'node_modules/d': {},
      'node_modules/e': {},
    };
    expect(thirdParty({ packages }, ['a'])).toEqual([
      'node_modules/a',
      'node_modules/a/node_modules/b',
      'node_modules/c',
      'node_modules/d',
    ]);
    expect(() => thirdParty({ packages }, ['f'])).toThrow('f is not in the lockfile');
  });

  test('those of the product are in the lockfile, and none of them is for development', () => {
    const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lockfile;
    const found = thirdParty(lockfile, ['commander', 'pino', 'ssh2', 'undici', 'ws', 'yaml', 'zod']);
    expect(found).toContain('node_modules/asn1');
    expect(found).not.toContain('node_modules/cpu-features');
    expect(found).not.toContain('node_modules/vitest');
  });
});

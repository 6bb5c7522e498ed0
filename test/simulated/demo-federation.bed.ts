/** `fleet demo --federation` with kubectl: the tour scales a template, breaks a cluster, and shows what went wrong first. */

import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startWithKubectl } from './src/demo-process.ts';
import { hasKubectl } from './src/kubectl.ts';

test.skipIf(!hasKubectl)(
  'FED-17, FED-39: every stop of the tour shows what it promises',
  { timeout: 180_000 },
  async () => {
    const demo = startWithKubectl('--federation', '--exit-after-check');
    const [printed, [code]] = await Promise.all([text(demo.stdout!), once(demo, 'exit')]);
    expect(printed).toContain('Cluster frankfurt: 6 replicas, healthy');
    expect(printed).toContain('First fault: in tokyo, unhealthy: ');
    expect(code, printed).toBe(0);
  },
);

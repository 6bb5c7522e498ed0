/** Small known bugs that the suites of views, permissions and watches must notice. */

import { describe, expect, it } from 'vitest';
import { cached, live } from './src/cached-fleet.ts';
import { settingsSeenBy, startScene } from './src/permissions-scene.ts';
import { watchesControl } from './src/watches-suite.ts';

// Each starts a product whose files are not compiled yet.
describe('planted bugs', { timeout: 180_000 }, () => {
  watchesControl({ variants: [live, cached] });

  it('AUTHZ-2: a product that ignores the answer of the control plane is noticed', async () => {
    const mutant = {
      file: 'server/src/authz/authorize.ts',
      from: 'return clusters.filter((_, index) => answers[index]);',
      to: 'return answers.length ? [...clusters] : [];',
    };
    await using broken = await startScene({ mutant });
    expect(await settingsSeenBy(broken, 'alice')).toContain('settings.clusterspace.member2');
  });
});

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { embeddedSuites } from '../../embedded-suites.ts';

const root = join(import.meta.dirname, '../../..');
/** What starts a control plane for a suite. */
const fleets =
  /\b(startFleet|startExample|startWebhookFleet|Front\.open|SickFleet\.start|Joining\.start|ChaosFleet\.start|startControlPlane)\(/;

test('CP-4: every suite that has a fleet runs on the embedded control plane, too', () => {
  // Fleets of simulated clusters are on it anyway.
  const suites = globSync('test/**/*.bed.ts', { cwd: root }).filter((suite) => !suite.startsWith('test/simulated/'));
  const withFleet = suites.filter((suite) => fleets.test(readFileSync(join(root, suite), 'utf8')));
  expect(withFleet.length).toBeGreaterThan(30);
  expect(embeddedSuites.toSorted()).toEqual(withFleet.toSorted());
});

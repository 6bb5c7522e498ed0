import { expect, test } from 'vitest';
import { applyLabelKeys } from './label-keys.ts';

test('only labels that the pod has are put into its selectors', () => {
  const constraint = { labelSelector: {}, matchLabelKeys: ['constructor', 'toString', '__proto__', 'app'] };
  applyLabelKeys({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', labels: { app: 'web' } },
    spec: { topologySpreadConstraints: [constraint] },
  });
  expect(constraint.labelSelector).toEqual({ matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }] });
});

import { expect, it } from 'vitest';
import type { KubeObject } from '../../registry/kube-object.ts';
import { columnsOf } from './columns.ts';

const now = Date.parse('2026-01-02T00:00:00Z');

it.each([
  ['2026-01-01T23:00:00Z', '60m'],
  ['2026-01-02T00:30:00+01:00', '30m'],
  ['2026-01-02T01:00:00Z', '<invalid>'],
  ['', '<unknown>'],
  ['null', '<unknown>'],
  ['2026', '<invalid>'],
  ['2026-02-30T00:00:00Z', '<invalid>'],
  [5, null],
  [undefined, null],
])('a date column shows %j as %j, as kube-apiserver does', (when, shown) => {
  const [, column] = columnsOf([{ name: 'When', type: 'date', jsonPath: '.spec.when' }]);
  expect(column!.cell({ metadata: {}, spec: { when } } as unknown as KubeObject, now)).toBe(shown);
});

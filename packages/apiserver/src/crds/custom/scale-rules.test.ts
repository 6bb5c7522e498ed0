import type { JsonValue } from '@fleet/kube/json-value.ts';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../errors/field-error.ts';
import { scaleErrors } from './scale-rules.ts';

const scale = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
};
const typeError = '.spec.replicas: Invalid value: 0: .spec.replicas accessor error:';

describe('COMPAT-4: the numbers that a scale is made of', () => {
  it.each<[JsonValue, string]>([
    [1e20, `${typeError} 1e+20 is of the type float64, expected int64`],
    [1.5, `${typeError} 1.5 is of the type float64, expected int64`],
    [null, `${typeError} <nil> is of the type <nil>, expected int64`],
    [['x', 1], `${typeError} [x 1] is of the type []interface {}, expected int64`],
    [{ a: 'b' }, `${typeError} map[a:b] is of the type map[string]interface {}, expected int64`],
    [-1, '.spec.replicas: Invalid value: -1: should be a non-negative integer'],
    [2 ** 31, '.spec.replicas: Invalid value: 2147483648: should be less than or equal to 2147483647'],
    [2n ** 62n, '.spec.replicas: Invalid value: 4611686018427387904: should be less than or equal to 2147483647'],
  ])('%o', (replicas, why) => expect(textOf(scaleErrors({ spec: { replicas } }, scale))).toBe(why));

  it('may be missing', () => {
    expect(scaleErrors({ spec: {}, status: null }, scale)).toEqual([]);
  });

  it('lie in objects', () => {
    expect(textOf(scaleErrors({ status: ['x'] }, { ...scale, statusReplicasPath: '.status.a.b' }))).toContain(
      '.status.a accessor error: [x] is of the type []interface {}, expected map[string]interface{}',
    );
  });
});

import { describe, expect, it } from 'vitest';
import { changedOutside, namesInside } from './state.ts';

const run = 'r111111';
const before = new Map([
  ['namespaces kube-system', 'u1 1'],
  ['namespaces r111111b-open-0', 'u2 2'],
  ['configmaps r111111b-open-0/alpha', 'u3 3'],
  ['configmaps r111111b-closed/alpha', 'u4 4'],
  ['leases kube-system/kube-controller-manager', 'u5 5'],
]);

describe('what a run changed', () => {
  it('is nothing as long as only permitted namespaces are written to', () => {
    const after = new Map(before)
      .set('configmaps r111111b-open-0/alpha', 'u3 9')
      .set('secrets r111111b-open-0/x', 'u6 8');
    after.delete('namespaces r111111b-open-0');
    after.set('leases kube-system/kube-controller-manager', 'u5 10');
    expect(changedOutside(before, after, run)).toEqual([]);
  });

  it('names what was removed, made, changed, or replaced by another of the same name', () => {
    const after = new Map(before).set('namespaces smuggled', 'u7 7').set('configmaps r111111b-closed/alpha', 'u9 4');
    after.delete('namespaces kube-system');
    expect(changedOutside(before, after, run)).toEqual([
      'changed: configmaps r111111b-closed/alpha',
      'made: namespaces smuggled',
      'removed: namespaces kube-system',
    ]);
  });

  it('is not what an earlier run leaves to the server to remove', () => {
    const earlier = new Map(before)
      .set('configmaps r222222b-closed/alpha', 'u1 1')
      .set('namespaces r222222b-closed', 'u2 2');
    expect(changedOutside(earlier, before, run)).toEqual([]);
  });

  it('is compared between the sides without their own names, and without what controllers make', () => {
    const state = new Map(before).set('serviceaccounts r111111b-open-0/default', 'u8 8');
    expect(namesInside(state, `${run}b`)).toEqual(['configmaps SCOPE-open-0/alpha', 'namespaces SCOPE-open-0']);
  });
});

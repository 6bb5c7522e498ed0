import { describe, expect, it } from 'vitest';
import { completeTarget } from './complete.ts';
import { parseTarget } from './parse.ts';

describe('completeTarget', () => {
  it('NAME-6: a create without a cluster is 400 and says how to name one', () => {
    const parsed = parseTarget('POST', '/api/v1/namespaces/default/pods');
    expect(() => completeTarget(parsed)).toThrow('/clusterspaces/{cluster}/api/v1/namespaces/default/pods');
  });

  it('a target whose place is known stays as it is', () => {
    const parsed = parseTarget('POST', '/clusterspaces/member1/api/v1/namespaces/default/pods');
    expect(completeTarget(parsed)).toEqual(parsed);
  });
});

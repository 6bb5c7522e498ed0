import { describe, expect, it } from 'vitest';
import { describeRules, missingRules } from './covers.ts';
import { type PolicyRule, ruleAllows } from './policy-rule.ts';

const rule = (apiGroups: string[], resources: string[], verbs: string[], resourceNames?: string[]): PolicyRule => ({
  apiGroups,
  resources,
  verbs,
  ...(resourceNames ? { resourceNames } : {}),
});

describe('AUTHZ-1: a rule allows', () => {
  const scale = rule(['apps'], ['*/scale'], ['update']);
  const named = rule([''], ['secrets'], ['get'], ['a']);
  const paths: PolicyRule = { verbs: ['get'], nonResourceURLs: ['/logs/*', '/version'] };
  it.each([
    [scale, { verb: 'update', group: 'apps', resource: 'deployments', subresource: 'scale' }, true],
    [scale, { verb: 'update', group: 'apps', resource: 'deployments' }, false],
    [scale, { verb: 'update', group: '', resource: 'deployments', subresource: 'scale' }, false],
    [named, { verb: 'get', group: '', resource: 'secrets', name: 'a' }, true],
    [named, { verb: 'get', group: '', resource: 'secrets', name: 'b' }, false],
    [named, { verb: 'get', group: '', resource: 'secrets' }, false],
    [paths, { verb: 'get', path: '/logs/x/y' }, true],
    [paths, { verb: 'get', path: '/logs' }, false],
    [paths, { verb: 'put', path: '/version' }, false],
  ])('%j %j: %s', (given, asked, expected) => {
    expect(ruleAllows(given, asked)).toBe(expected);
  });
});

describe('AUTHZ-1: what is missing', () => {
  const owned = [rule([''], ['configmaps', '*/log'], ['get', 'list']), rule(['apps'], ['*'], ['*'])];
  it.each([
    [rule([''], ['configmaps'], ['get']), ''],
    [rule(['apps'], ['deployments/scale'], ['patch'], ['x']), ''],
    [rule([''], ['pods/log'], ['get']), ''],
    [
      rule([''], ['configmaps'], ['get', 'delete', 'watch']),
      '{APIGroups:[""], Resources:["configmaps"], Verbs:["delete" "watch"]}',
    ],
    [
      rule([''], ['secrets'], ['get'], ['b', 'a']),
      '{APIGroups:[""], Resources:["secrets"], ResourceNames:["a"], Verbs:["get"]}\n{APIGroups:[""], Resources:["secrets"], ResourceNames:["b"], Verbs:["get"]}',
    ],
    [
      { verbs: ['get', 'put'], nonResourceURLs: ['/x'] },
      '{NonResourceURLs:["/x"], Verbs:["get"]}\n{NonResourceURLs:["/x"], Verbs:["put"]}',
    ],
  ])('%j', (expected, text) => {
    expect(describeRules(missingRules(owned, [expected]))).toBe(text);
  });
});

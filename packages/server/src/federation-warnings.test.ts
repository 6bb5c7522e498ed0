import { expect, it } from 'vitest';
import { warnedOfPolicies } from './federation-warnings.ts';
import { jsonReply } from './http/message.ts';
import { targetOf } from './testing/targets.ts';

const path = '/apis/policy.karmada.io/v1alpha1/namespaces/default/propagationpolicies';
const warned = warnedOfPolicies(() => []);
const policy = (spec: object) => ({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  metadata: { name: 'p' },
  spec: { resourceSelectors: [], ...spec },
});
const lazy = policy({ activationPreference: 'Lazy' });
const warningOf = async (cluster: string, method: string, url: string, answer: object, status = 200) =>
  (await warned(cluster, targetOf(method, url), jsonReply(status, answer))).headers['warning'];

it.each([
  ['POST', path, 201],
  ['PUT', `${path}/p`, 200],
  ['PATCH', `${path}/p`, 200],
])('FED-1: a policy with a field that is not honoured yet is warned of (%s)', async (method, url, status) => {
  expect(await warningOf('karmada', method, url, lazy, status)).toEqual([
    '299 - "spec.activationPreference is stored but not honoured yet: changes of the policy apply at once"',
  ]);
});

it('FED-1: reads, refusals, members’ own policies and others are not', async () => {
  expect(await warningOf('karmada', 'GET', `${path}/p`, lazy)).toBeUndefined();
  expect(await warningOf('karmada', 'POST', path, lazy, 409)).toBeUndefined();
  expect(await warningOf('member1', 'POST', path, lazy, 201)).toBeUndefined();
  expect(await warningOf('karmada', 'POST', path, policy({}), 201)).toBeUndefined();
});

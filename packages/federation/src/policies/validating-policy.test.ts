import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../api/objects.ts';
import { isProtected } from './deletion-protection.ts';
import { validatingPolicies } from './validating-policy.ts';

interface Spec {
  failurePolicy: string;
  matchConstraints: { resourceRules: { operations: string[]; resources: string[] }[]; objectSelector?: object };
  validations: { expression: string; message: string; reason: string }[];
}

const specOf = (name: string): Spec =>
  validatingPolicies.find(({ kind, metadata }) => kind === 'ValidatingAdmissionPolicy' && metadata.name === name)![
    'spec'
  ] as Spec;

describe('validating admission policies', () => {
  it('FED-2: have one binding each, that denies', () => {
    const ofKind = (kind: string) => validatingPolicies.filter((one) => one.kind === kind);
    const names = (objects: AnyObject[]) => objects.map(({ metadata }) => metadata.name);
    expect(names(ofKind('ValidatingAdmissionPolicy'))).toEqual(names(ofKind('ValidatingAdmissionPolicyBinding')));
    for (const { metadata, spec } of ofKind('ValidatingAdmissionPolicyBinding')) {
      expect(spec).toEqual({ policyName: metadata.name, validationActions: ['Deny'] });
    }
    for (const { metadata } of validatingPolicies) {
      expect(metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'fleet' });
    }
  });

  it('FED-2: refuse what schemas cannot see', () => {
    const { failurePolicy, matchConstraints, validations } = specOf('fleet-propagation-policies');
    expect(failurePolicy).toBe('Fail');
    expect(matchConstraints.resourceRules[0]).toMatchObject({
      operations: ['CREATE', 'UPDATE'],
      resources: ['propagationpolicies', 'clusterpropagationpolicies'],
    });
    expect(validations.map(({ message, reason }) => `${reason} ${message}`)).toEqual([
      "Invalid spec.resourceSelectors: a selector's namespace must be the policy's",
      'Invalid metadata.labels[propagationpolicy.karmada.io/permanent-id]: field is immutable',
      'Invalid metadata.labels[clusterpropagationpolicy.karmada.io/permanent-id]: field is immutable',
    ]);
  });

  it('FED-24: refuse to delete what is protected', () => {
    expect(specOf('fleet-deletion-protection')).toEqual({
      failurePolicy: 'Fail',
      matchConstraints: {
        matchPolicy: 'Equivalent',
        resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['DELETE'], resources: ['*'], scope: '*' }],
        objectSelector: { matchLabels: { 'resourcetemplate.karmada.io/deletion-protected': 'Always' } },
      },
      validations: [
        { expression: 'false', message: expect.stringMatching(/^This resource is protected/), reason: 'Forbidden' },
      ],
    });
  });

  it('FED-24: only Always protects', () => {
    const labelled = (value: string) => ({
      metadata: { name: 'x', labels: { 'resourcetemplate.karmada.io/deletion-protected': value } },
    });
    expect(isProtected(labelled('Always'))).toBe(true);
    expect(isProtected(labelled('Never'))).toBe(false);
    expect(isProtected({ metadata: { name: 'x' } })).toBe(false);
  });
});

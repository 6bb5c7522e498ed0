import { describe, expect, it } from 'vitest';
import { allowedIdentities, allowedIdentitiesAnnotation } from './allowed-identities.ts';

const allowing = (annotation: string) =>
  allowedIdentities({ metadata: { name: 'm1', annotations: { [allowedIdentitiesAnnotation]: annotation } } });

describe('IMP-5: names that a Cluster allows', () => {
  it('are none without the annotation', () => {
    for (const cluster of [undefined, { metadata: { name: 'm1' } }]) {
      expect(allowedIdentities(cluster).has('system:serviceaccount:a:b')).toBe(false);
    }
  });

  it.each([
    ['system:serviceaccount:a:b', 'system:serviceaccount:a:b', true],
    ['system:serviceaccount:a:b', 'system:serviceaccount:a:bc', false],
    ['x,system:serviceaccount:a:b , system:nodes\n\tsystem:serviceaccounts:a', 'system:nodes', true],
    ['x,system:serviceaccount:a:b , system:nodes\n\tsystem:serviceaccounts:a', 'system:serviceaccounts:a', true],
    ['system:serviceaccount:a:*', 'system:serviceaccount:a:b', true],
    ['system:serviceaccount:a:*', 'system:serviceaccount:ab:b', false],
    ['system:serviceaccount:*', 'system:serviceaccount:a:b', true],
    ['system:serviceaccount:*', 'system:serviceaccounts', false],
    ['system:node:*', 'system:node:n1', true],
    ['system:*', 'system:admin', true],
    ['system:node:*x', 'system:node:n1x', false],
  ])('%j: %j %s', (annotation, name, allowed) => {
    expect(allowing(annotation).has(name)).toBe(allowed);
  });

  it.each(['system:masters', 'system:serviceaccount:kube-system:x', 'system:serviceaccounts:kube-system'])(
    '%s only one by one',
    (name) => {
      for (let length = 'system:'.length; length <= name.length; length++) {
        expect(allowing(`${name.slice(0, length)}*`).has(name)).toBe(false);
      }
      expect(allowing('*').has(name)).toBe(false);
      expect(allowing(name).has(name)).toBe(true);
    },
  );

  it('what resembles kube-system is a namespace like others', () => {
    expect(allowing('system:serviceaccount:*').has('system:serviceaccount:kube-system-x:y')).toBe(true);
  });

  it.each(['*', 'fleet:*', 'fleet:admins', 'alice'])('%s is no name of Kubernetes’ own', (entry) => {
    for (const name of ['fleet:admins', 'alice', 'system:nodes']) expect(allowing(entry).has(name)).toBe(false);
  });
});

import { expect, it } from 'vitest';
import { sketchPod } from '../testing/pods.ts';
import { expectedScale, type ScaledKinds } from './controller-scale.ts';

it.each([
  ['DaemonSet', 'daemonsets.apps does not implement the scale subresource'],
  ['constructor', 'found no controllers for pod "p"'],
])('throws for a controller of the kind %s', (kind, message) => {
  const pod = sketchPod('p');
  pod.metadata.ownerReferences = [{ apiVersion: 'apps/v1', kind, name: 'x', uid: '1', controller: true }];
  expect(() => expectedScale([pod], {} as ScaledKinds)).toThrow(message);
});

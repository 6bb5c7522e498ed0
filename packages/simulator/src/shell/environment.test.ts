import { expect, test } from 'vitest';
import { runningPod } from '../testing/pods.ts';
import { environmentOf } from './environment.ts';

test('a label or an annotation is only what the pod has', () => {
  const keys = ['constructor', '__proto__', 'toString', 'app'];
  const env = keys.map((key) => ({
    name: `${key}_`,
    valueFrom: { fieldRef: { fieldPath: `metadata.labels['${key}']` } },
  }));
  const pod = runningPod({ env });
  const variables = environmentOf(pod, pod.spec.containers[0]!, false);
  expect(keys.map((key) => variables.get(`${key}_`))).toEqual(['', '', '', 'web']);
});

import { expect, it } from 'vitest';
import { sortedSlicePorts, sortedSubsetPorts } from './port-order.ts';

it('sorts ports as kube-controller-manager does', () => {
  const ports = [
    { name: 'b', port: 9090, protocol: 'TCP' },
    { name: 'a', port: 8080, protocol: 'TCP' },
  ];
  // As a cluster of 1.36.3 has them.
  expect(sortedSlicePorts(ports).map(({ name }) => name)).toEqual(['a', 'b']);
  expect(sortedSubsetPorts(ports).map(({ name }) => name)).toEqual(['a', 'b']);
});

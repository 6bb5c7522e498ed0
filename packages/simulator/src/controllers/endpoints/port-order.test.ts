import { expect, it } from 'vitest';
import { fnv128a, sortedSlicePorts, sortedSubsetPorts } from './port-order.ts';

it('sorts ports as kube-controller-manager does', () => {
  const ports = [
    { name: 'b', port: 9090, protocol: 'TCP' },
    { name: 'a', port: 8080, protocol: 'TCP' },
  ];
  // As in a cluster of 1.36.3.
  expect(sortedSlicePorts(ports).map(({ name }) => name)).toEqual(['a', 'b']);
  expect(sortedSubsetPorts(ports).map(({ name }) => name)).toEqual(['a', 'b']);
});

it("hashes as Go's fnv.New128a", () => {
  expect(fnv128a('')).toBe('6c62272e07bb014262b821756295c58d');
  expect(fnv128a('a')).toBe('d228cb696f1a8caf78912b704e4a8964');
  expect(fnv128a('foobar')).toBe('343e1662793c64bf6f0d3597ba446f18');
});

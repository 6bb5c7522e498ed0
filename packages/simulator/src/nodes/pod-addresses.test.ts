import { expect, it } from 'vitest';
import { nodeAddress, PodAddresses } from './pod-addresses.ts';

it('gives each node a block, larger for more pods', () => {
  expect(new PodAddresses(0, 110).cidr).toBe('10.244.0.0/24');
  expect(new PodAddresses(3, 110).cidr).toBe('10.244.3.0/24');
  expect(new PodAddresses(1, 1000).cidr).toBe('10.244.4.0/22');
  expect(nodeAddress(300)).toBe('172.18.1.46');
});

it('gives no address twice, and those that are free again last', () => {
  const addresses = new PodAddresses(0, 110);
  addresses.take('10.244.0.3', 'old');
  expect([addresses.allocate('a'), addresses.allocate('b')]).toEqual(['10.244.0.2', '10.244.0.4']);
  addresses.release('10.244.0.2', 'a');
  expect(addresses.allocate('c')).toBe('10.244.0.5');
  const rest = new Set(Array.from({ length: 250 }, () => addresses.allocate('d')));
  expect(rest.size).toBe(250);
  expect(rest).toContain('10.244.0.2');
  expect(rest).not.toContain('10.244.0.3');
  expect(() => addresses.allocate('e')).toThrow('no address left in 10.244.0.0/24');
});

it('an address is released by who has it', () => {
  const addresses = new PodAddresses(0, 110);
  addresses.take('10.244.0.2', 'old');
  addresses.take('10.244.0.2', 'older');
  addresses.release('10.244.0.2', 'older');
  expect(addresses.allocate('a')).toBe('10.244.0.3');
});

/** The ways to a member: directly, and through each door of the product. */

import type { Member } from '@fleet/bed/member.ts';
import type { Product } from '@fleet/bed/product.ts';
import { memberProxy } from '@fleet/suites/fleet.ts';
import type { Suite } from './e2e.ts';

/** Where each door leads to a member of that name. */
export const doors = {
  'clusters/{c}/proxy': memberProxy,
  '/clusters/{c}': (name: string) => `/clusters/${name}`,
  '/clusterspaces/{c}': (name: string) => `/clusterspaces/${name}`,
} as const;

export type Door = keyof typeof doors;

export const directly = ({ directServer, ca, admin }: Member): Suite['at'] => ({
  server: directServer,
  ca,
  user: 'admin',
  credential: admin,
});

export const through = (door: Door, { server, ca, admin }: Product, name: string): Suite['at'] => ({
  server: server + doors[door](name),
  ca,
  user: 'fleet:admin',
  credential: admin,
});

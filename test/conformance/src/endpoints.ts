/** How to reach a member: directly, and through each endpoint of the product. */

import type { Member } from '@fleet/bed/member.ts';
import type { Product } from '@fleet/bed/product.ts';
import { memberProxy } from '@fleet/suites/fleet.ts';
import type { Suite } from './e2e.ts';

/** The path of each endpoint for a member of that name. */
export const endpoints = {
  'clusters/{c}/proxy': memberProxy,
  '/clusters/{c}': (name: string) => `/clusters/${name}`,
  '/clusterspaces/{c}': (name: string) => `/clusterspaces/${name}`,
} as const;

export type Endpoint = keyof typeof endpoints;

export const directly = ({ directServer, ca, admin }: Member): Suite['at'] => ({
  server: directServer,
  ca,
  user: 'admin',
  credential: admin,
});

export const through = (endpoint: Endpoint, { server, ca, admin }: Product, name: string): Suite['at'] => ({
  server: server + endpoints[endpoint](name),
  ca,
  user: 'fleet:admin',
  credential: admin,
});

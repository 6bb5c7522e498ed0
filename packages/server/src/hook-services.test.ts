import type { Upstream } from '@fleet/client/upstream.ts';
import { expect, it } from 'vitest';
import { serviceResolver } from './hook-services.ts';

const upstream = {} as Upstream;
const resolve = serviceResolver(
  [
    'hooks/a=https://a.example.com',
    'hooks/a:8443=https://b.example.com:9443/base/',
    'hooks/m=member1',
    'hooks/gone=member2',
  ],
  (cluster) => (cluster === 'member1' ? upstream : undefined),
);

it.each([
  ['a', 443, '', 'https://a.example.com'],
  ['a', 443, '/x', 'https://a.example.com/x'],
  ['a', 8443, '/x', 'https://b.example.com:9443/base/x'],
  ['m', 443, '/x', { cluster: 'member1', upstream }],
  ['gone', 443, '/x', { cluster: 'member2', upstream: undefined }],
  ['other', 443, '/x', undefined],
])('EXP-5: a service is where --federation-services has it (%s:%i%s)', (name, port, path, place) => {
  expect(resolve('hooks', name, port, path)).toEqual(place);
});

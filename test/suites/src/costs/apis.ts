/** What puts together which APIs members serve. */

import { uniteDiscovery } from '@fleet/server/discovery/union.ts';
import { listed, many, type Structured, some } from './structured.ts';
import type { Shape } from './texts.ts';

const verbs = ['get'];
const group = (resources: object[]) => [{ metadata: { name: 'g' }, versions: [{ version: 'v1', resources }] }];
const other = (index: number) => ({ resource: 'a', verbs: [`${index}`] });
const withOther = (index: number) => ({ resource: 'a', verbs, subresources: [{ subresource: `${index}`, verbs }] });

const discovery: Shape[] = [
  listed('a resource again with other subresources', 70, (n) => group(many(n, withOther))),
  listed('a resource again with other verbs', 35, (n) => group(many(n, other))),
  listed('resources', 40, (n) => group(many(n, (i) => ({ resource: `${i}`, verbs })))),
  listed('a version again', 70, (n) => [
    { metadata: { name: 'g' }, versions: many(n, (i) => ({ version: 'v1', resources: [other(i)] })) },
  ]),
  listed('versions', 20, (n) => [{ metadata: {}, versions: many(n, (i) => ({ version: `v${i}` })) }]),
  listed('a group again', 100, (n) => many(n, (i) => group([other(i)])).flat()),
  listed('a group again with other versions', 60, (n) =>
    many(n, (i) => ({ metadata: { name: 'g' }, versions: [{ version: `v${i}` }] })),
  ),
  listed('groups', 30, (n) => many(n, (i) => ({ metadata: { name: `${i}` } }))),
];

export const apis: Record<string, Structured> = {
  'discovery of a member': {
    length: some,
    read: (text) => uniteDiscovery([{ items: JSON.parse(text) }]),
    shapes: discovery,
  },
};

/** What puts together which APIs members serve. */

import { parseIndex } from '@fleet/server/discovery/openapi/index-document.ts';
import { uniteDocuments } from '@fleet/server/discovery/openapi/unite.ts';
import { openApiV3 } from '@fleet/server/discovery/openapi/versions.ts';
import { uniteDiscovery } from '@fleet/server/discovery/union.ts';
import type { Read } from './growth.ts';
import { halves, listed, many, type Structured, some } from './structured.ts';
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

const index = (count: number, url: (index: number) => string) => ({
  paths: Object.fromEntries(many(count, (i) => [`${i}`, { serverRelativeURL: url(i) }])),
});

/** Those of two members. */
const documents: Read = (text) => {
  const sources = async function* () {
    for (const one of halves(text)) yield { name: 'm', bytes: Buffer.from(one) };
  };
  return uniteDocuments(openApiV3.forms[0], sources(), () => {});
};
const components = (name: string, cost: number, make: (count: number) => object): Shape => ({
  name,
  make: (length) => `{"openapi":"3.0.0"}\n${JSON.stringify({ components: make(Math.floor(length / cost)) })}`,
});

export const apis: Record<string, Structured> = {
  'discovery of a member': {
    length: some,
    read: (text) => uniteDiscovery([{ items: JSON.parse(text) }]),
    shapes: discovery,
  },
  'an index of OpenAPI': {
    length: some,
    read: (text) => parseIndex(Buffer.from(text)),
    shapes: [
      listed('with hashes', 50, (n) => index(n, (i) => `/x?hash=${i}`)),
      listed('without hashes', 40, (n) => index(n, () => '/x')),
    ],
  },
  'OpenAPI of members': {
    length: 4 * some,
    read: documents,
    shapes: [
      components('sections', 16, (n) => Object.fromEntries(many(n, (i) => [`s${i}`, { a: 1 }]))),
      components('schemas', 12, (n) => ({ schemas: Object.fromEntries(many(n, (i) => [`s${i}`, 1])) })),
    ],
  },
};

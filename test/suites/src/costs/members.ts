/** What looks into the answers of members, or holds them for a while. */

import { markingOf, objectInsertions, rowInsertions } from '@fleet/server/present/marking.ts';
import { rulesWithin } from '@fleet/server/reviews/rules.ts';
import { listed, little, many, repeated, type Structured, some } from './structured.ts';

const marking = markingOf({ names: 'name-suffixed' }, 'm1', false);
const object = '"object":{"metadata":{"name":"a","resourceVersion":"1","managedFields":0}},';

export const members: Record<string, Structured> = {
  'names in an object': {
    length: some,
    read: (text) => objectInsertions(Buffer.from(text), 0, marking),
    shapes: [
      {
        name: 'managedFields again',
        make: repeated('{"metadata":{"name":"a","resourceVersion":"1",', '"managedFields":0,', '"namespace":"d"}}'),
      },
      { name: 'owners', make: repeated('{"metadata":{"ownerReferences":[', '{"name":"a"},', '{}]}}') },
    ],
  },
  'names in a row': {
    length: 4 * some,
    read: (text) => rowInsertions(Buffer.from(text), new Set([0]), marking),
    shapes: [
      { name: 'objects again', make: repeated('{', object, '"namespace":"d"}') },
      { name: 'owners', make: repeated('{"object":{"metadata":{"ownerReferences":[', '{"name":"a"},', '{}]}}}') },
      { name: 'cells', make: repeated('{"cells":[', '"a",', '1],"object":null}') },
    ],
  },
  'rules of a member': {
    length: little,
    read: (text) => rulesWithin(JSON.parse(text), new Set(['get'])),
    shapes: [
      listed('groups and resources', 14, (n) => ({
        resourceRules: [{ verbs: ['get'], apiGroups: many(n, (i) => `g${i}`), resources: many(n, (i) => `r/${i}`) }],
      })),
    ],
  },
};

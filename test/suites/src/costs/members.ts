/** What looks into the answers of members, or holds them for a while. */

import type { Items } from '@fleet/kube/list-splitter.ts';
import { ByteBudget } from '@fleet/server/merge/byte-budget.ts';
import { ReadAhead } from '@fleet/server/merge/read-ahead.ts';
import { markingOf, objectInsertions, rowInsertions } from '@fleet/server/present/marking.ts';
import { rulesWithin } from '@fleet/server/reviews/rules.ts';
import { EventLog } from '@fleet/server/watch/event-log.ts';
import type { Read } from './growth.ts';
import { halves, listed, little, many, repeated, type Structured, some } from './structured.ts';

const marking = markingOf({ names: 'name-suffixed' }, 'm1', false, undefined);
const object = '"object":{"metadata":{"name":"a","resourceVersion":"1","managedFields":0}},';

/** Of a member whose turn comes late: all that may be held of it waits by then. */
const readAhead: Read = async (text) => {
  const chunks = async function* (): AsyncGenerator<Items> {
    for (let at = 0; at < text.length; at += 3) yield [Buffer.from('{}')];
  };
  const items = new ReadAhead(chunks(), new ByteBudget(2 ** 30), new AbortController().signal);
  await new Promise((resolve) => setImmediate(resolve));
  for await (const _ of items);
};

/** A version, then so many events. */
const logged: Read = (text) => {
  const [version, count] = halves(text);
  const log = new EventLog({ events: 100_000, bytes: 2 ** 30 });
  const bytes = Buffer.alloc(1);
  log.begin('m1', version);
  const events = many(Number(count), (index) => ({ cluster: 'm1', version: `${index}`, position: `${index}`, bytes }));
  log.append(events, true);
  return log.after(new Map([['m1', '1']]));
};

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
  'items that are read ahead': {
    length: 2 * some,
    read: readAhead,
    shapes: [{ name: 'each by itself', make: repeated('', '{},', '') }],
  },
  'events behind a long version': {
    length: some,
    read: logged,
    shapes: [{ name: 'digits', make: (length) => `${'9'.repeat(length)}\n${Math.floor(length / 20)}` }],
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

/** Rewrites one place's watch for a view, event by event. */

import type { AnswerMemory } from '@fleet/kube/answer-memory.ts';
import { isObject, JsonBytesError, type Span, skipValue } from '@fleet/kube/json-bytes.ts';
import { oneLine } from '@fleet/kube/one-line.ts';
import { eachKnownMember } from '@fleet/kube/plain-keys.ts';
import { watchLines } from '@fleet/kube/watch-lines.ts';
import type { TableLayout } from './one-list.ts';
import { presentAnswer, type Shown } from './one-object.ts';

const newline = Buffer.from('\n');

export async function* presentWatch(
  body: AsyncIterable<Buffer>,
  shown: Shown,
  memory?: AnswerMemory,
): AsyncGenerator<Buffer> {
  const layout: TableLayout = { named: new Set() };
  for await (const sent of watchLines(body, memory)) {
    const line = oneLine(sent);
    const { start, end } = objectOf(line);
    const object = await presentAnswer(line.subarray(start, end), shown, layout);
    // An error is printed with a line feed, which would end the event within it.
    const shownObject = object.at(-1) === newline[0] ? object.subarray(0, -1) : object;
    yield Buffer.concat([line.subarray(0, start), shownObject, line.subarray(end), newline]);
  }
}

/** The span of an event's object. */
function objectOf(line: Buffer): Span {
  let object: Span | undefined;
  eachKnownMember(line, 0, ['type', 'object'], (name, value) => {
    if (name !== 'object' || !isObject(line, value)) return undefined;
    object = { start: value, end: skipValue(line, value) };
    return object.end;
  });
  if (!object) throw new JsonBytesError('an event without an object');
  return object;
}

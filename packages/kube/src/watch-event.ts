/** Finds the type and the object in the bytes of a watch event. */

import { isObject, JsonBytesError, type Span, skipValue, stringSpan } from './json-bytes.ts';
import { eachKnownMember } from './plain-keys.ts';

export interface EventParts {
  type: string;
  /** From its opening brace to just after the closing one. */
  object: Span;
}

export function readEvent(line: Buffer): EventParts {
  let type = '';
  let object: Span | undefined;
  eachKnownMember(line, 0, ['type', 'object'], (name, value) => {
    if (name === 'type') {
      const text = stringSpan(line, value);
      type = text ? line.toString('utf8', text.start, text.end) : '';
    }
    if (name !== 'object' || !isObject(line, value)) return undefined;
    object = { start: value, end: skipValue(line, value) };
    return object.end;
  });
  if (!object || type === '') throw new JsonBytesError('an event without a type or an object');
  return { type, object };
}

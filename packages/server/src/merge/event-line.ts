/** One event of a member's watch, as its bytes say it: what it is, and where its object stands. */

import { JsonBytesError, type Span } from '@fleet/kube/json-bytes.ts';
import { longestVersion } from '@fleet/kube/list-splitter.ts';
import { findObjectNames } from '@fleet/kube/object-names.ts';
import { readEvent } from '@fleet/kube/watch-event.ts';

export interface EventLine {
  type: string;
  /** The object, from its brace to just behind it. */
  object: Span;
  /** Of the object; of a Table, that of the object in its row. Empty where there is none, as in an ERROR. */
  version: string;
}

const onlyVersion = { isEvent: false, maps: false };

export function readEventLine(line: Buffer): EventLine {
  const { type, object } = readEvent(line);
  const version = textOf(line, findObjectNames(line, object.start, onlyVersion).resourceVersion);
  if (version.length > longestVersion) throw new JsonBytesError('an event with a version that is too long');
  return { type, object, version };
}

const textOf = (bytes: Buffer, span: Span | undefined): string =>
  span ? bytes.toString('utf8', span.start, span.end) : '';

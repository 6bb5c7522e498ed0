/** Parses one event of a member's watch: its type, and the position of its object in the bytes. */

import { JsonBytesError, type Span } from '@fleet/kube/json-bytes.ts';
import { longestVersion } from '@fleet/kube/list-splitter.ts';
import { findObjectNames } from '@fleet/kube/object-names.ts';
import { readEvent } from '@fleet/kube/watch-event.ts';

export interface EventLine {
  type: string;
  /** The object, from its opening brace to just after its closing one. */
  object: Span;
  /** The resource version of the object; in a Table, of the object in its row. Empty if there is none, as in an ERROR. */
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

/** Parses one event of a member's watch: its type, and the position of its object in the bytes. */

import { JsonBytesError, type Span } from '@fleet/kube/json-bytes.ts';
import { longestVersion } from '@fleet/kube/list-splitter.ts';
import { findObjectNames } from '@fleet/kube/object-names.ts';
import { readEvent } from '@fleet/kube/watch-event.ts';
import { mapOf } from '../present/versions.ts';

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
  // Written otherwise, as with an escape, it would pass as an event here and be a bookmark to clients (SEC-1).
  if (!types.has(type)) throw new JsonBytesError('an event of an unknown type');
  const version = textOf(line, findObjectNames(line, object.start, onlyVersion).resourceVersion);
  if (type !== 'BOOKMARK') refuseMap(version);
  if (version.length > longestVersion) throw new JsonBytesError('an event with a version that is too long');
  return { type, object, version };
}

/**
 * Throws at an object's version that is one of a merged list: clients resume from the version of the last event, and would pass
 * over events of the other clusters that it names (SEC-1).
 */
export function refuseMap(version: string): void {
  if (mapOf(version)) throw new JsonBytesError('an object with the version of a merged list');
}

const types: ReadonlySet<string> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR']);

const textOf = (bytes: Buffer, span: Span | undefined): string =>
  span ? bytes.toString('utf8', span.start, span.end) : '';

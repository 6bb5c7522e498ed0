/** Parses the parameters of a watch, with kube-apiserver's checks and error messages (RV-6). */

import type { StatusCause } from '@fleet/kube/status.ts';
import { badRequest } from '@fleet/kube/status.ts';
import { forbidden, invalid } from '../merge/list-options.ts';
import { readSelection, type Selection } from '../merge/selection.ts';
import { type ReadVersion, readVersion } from '../present/versions.ts';

export interface WatchOptions {
  version: ReadVersion;
  /** Whether initial events are sent. Undefined: only if no version is given, as always. */
  sendInitialEvents: boolean | undefined;
  bookmarks: boolean;
  /** In milliseconds. */
  timeout: number;
  selection: Selection;
}

/** Parameters that are not sent to members unchanged. */
const ours = new Set([
  'watch',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'allowWatchBookmarks',
  'timeoutSeconds',
  'timeout',
  'limit',
  'continue',
  'pretty',
]);

/** In milliseconds. Without `timeoutSeconds` a watch ends at a random time between this and twice this (WATCH-7). */
const shortest = 30 * 60_000;

export function readWatchOptions(query: string): WatchOptions {
  const parameters = new URLSearchParams(query);
  const sendInitialEvents = readBoolean(parameters.get('sendInitialEvents'));
  const faults = [...faultsOf(parameters, sendInitialEvents)];
  if (faults.length > 0) throw invalid(faults);
  return {
    version: readVersion(parameters.get('resourceVersion') ?? ''),
    sendInitialEvents,
    bookmarks: readBoolean(parameters.get('allowWatchBookmarks')) ?? false,
    timeout: readSeconds(parameters.get('timeoutSeconds')) ?? shortest * (1 + Math.random()),
    selection: readSelection(query, ours),
  };
}

function* faultsOf(parameters: URLSearchParams, sendInitialEvents: boolean | undefined): Generator<StatusCause> {
  const field = 'resourceVersionMatch';
  const match = parameters.get(field) ?? '';
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    yield forbidden(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
  }
  if (match === '') return;
  if (sendInitialEvents === undefined) {
    yield forbidden(field, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided');
  }
  if (match !== 'NotOlderThan') {
    const message = `Unsupported value: "${match}": supported values: "NotOlderThan"`;
    yield { reason: 'FieldValueNotSupported', message, field };
  }
  if (parameters.get('continue')) yield forbidden(field, 'resourceVersionMatch is forbidden when continue is provided');
}

/** Kubernetes reads these values as false, and any other as true. */
const readBoolean = (text: string | null): boolean | undefined =>
  text === null ? undefined : !['false', '0'].includes(text.toLowerCase());

function readSeconds(text: string | null): number | undefined {
  if (text === null || text === '') return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  const seconds = Number(text);
  // Timers have 31 bits: a longer watch has no timeout.
  return seconds > 0 ? Math.min(seconds, 2_000_000) * 1000 : undefined;
}

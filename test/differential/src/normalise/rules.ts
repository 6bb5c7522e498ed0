/** Which fields of an answer are replaced before comparing, and why. */
import type { Subject } from '../request.ts';
import type { Rewriter } from './json-text.ts';
import { normaliseText, sortErrors } from './text.ts';

/** Values replaced by a word, kept in order: the two sides' are compared as pairs. */
export interface Found {
  uids: Placed[];
  versions: Placed[];
}

/** A value and where it stood. */
type Placed = readonly [path: string, value: string];

/** By their places: two servers may write the same fields in another order. */
export const inPlaces = (found: Placed[]): string[] =>
  found
    .splice(0)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, value]) => value);

export interface Reading {
  readonly subject: Subject;
  readonly scope: string;
  readonly found: Found;
  /** Column names of the Table being read; a watch sends them once, so they outlive one event. */
  columns: string[];
}

export function newReading(subject: Subject, scope: string): Reading {
  return { subject, scope, found: { uids: [], versions: [] }, columns: [] };
}

// ages and durations run on; addresses and node ports are allocated at random
const runningColumns = new Set(['Age', 'Last Seen', 'First Seen', 'Duration', 'Created At', 'Cluster-IP', 'Port(s)']);

/** The path of an object in an answer: alone, in a list, in an event, in a Table. */
const objectRoot = /^(object\/)?((items|rows)\/\d+\/)?(object\/)?$/;

export function rulesFor(reading: Reading): Rewriter {
  const { subject, scope, found } = reading;
  let bookmark = false;
  const isRoot = (path: readonly string[]) =>
    objectRoot.test(
      path
        .slice(0, -1)
        .map((part) => `${part}/`)
        .join(''),
    );
  return {
    whole(path) {
      const key = path.at(-1);
      // a controller writes the status of these on its own time, which managedFields record
      if (!subject.settled && key === 'status' && isRoot(path))
        return (raw) => (raw.startsWith('{') ? '"‹status›"' : raw);
      if (key === 'managedFields') return (raw) => managed(raw, reading);
      if (key === 'causes' && path.at(-2) === 'details') return (raw) => sorted(quoted(raw), scope);
      // discovery of custom kinds lists them as a Go map gives them
      if (key === 'resources' && path.length === 1) return (raw) => sorted(raw, scope);
      if (key === 'serverAddressByClientCIDRs') return () => '"‹address›"'; // where this server listens
      return undefined;
    },
    // managedFields name list items by their keys, such as an owner's uid
    key: (raw) => normaliseText(raw, scope),
    scalar(path, raw) {
      const key = path.at(-1) ?? '';
      const parent = path.at(-2);
      if (key === 'type' && path.length === 1) bookmark = raw === '"BOOKMARK"';
      if (key === 'uid' && raw.length === 38) {
        found.uids.push([path.join('/'), raw]);
        return normaliseText(raw, scope);
      }
      if (key === 'resourceVersion' && /^"\d+"$/.test(raw)) {
        // the version of a list or a bookmark is the whole server's: others write, too
        const ofServer = bookmark || (subject.list && path.length === 2);
        if (!ofServer && subject.settled) found.versions.push([path.join('/'), raw]);
        return '"‹version›"';
      }
      if (key === 'continue' && parent === 'metadata' && raw !== '""') return '"‹continue›"'; // opaque
      if ((key === 'clusterIP' || parent === 'clusterIPs') && /^"\d/.test(raw)) return '"‹address›"';
      if (/nodePort$/i.test(key) && raw !== '0') return '"‹port›"'; // allocated at random
      if (key === 'name' && path.at(-3) === 'columnDefinitions')
        reading.columns[Number(parent)] = JSON.parse(raw) as string;
      if (parent === 'cells')
        return runningColumns.has(reading.columns[Number(key)] ?? '') ? cell(raw) : normaliseText(raw, scope);
      const text = normaliseText(key === 'message' ? quoted(raw) : raw, scope);
      return key === 'message' && text.startsWith('"') ? `"${sortErrors(text.slice(1, -1))}"` : text;
    },
  };
}

/** In what two structs of Go differ, line by line: with what must differ, and of no use to those who do not know them. */
const structDiff = /@@ -\d+,\d+ \+\d+,\d+ @@\n(?:[ +-].*\n?)*/g;

const withoutStructs = (raw: string): string =>
  raw.includes('\\n@@ -')
    ? JSON.stringify(JSON.parse(raw, (_, value) => (typeof value === 'string' ? value.replace(structDiff, '') : value)))
    : raw;

/** A message may quote the whole object, and with it what must differ: allocated ports, the order of managedFields. */
function quoted(text: string): string {
  return withoutStructs(text).replace(/\{\\+"(?:[^"\\]|\\.)*\}/g, (object) => (isWhole(object) ? '‹object›' : object));
}

const isWhole = (object: string) => object.includes('managedFields') || object.includes('creationTimestamp');

/** Only whether there is a value. */
function cell(raw: string): string {
  // Go escapes the signs of HTML
  const plain = JSON.stringify(JSON.parse(raw));
  return ['""', '"<none>"', '"None"', '"<unknown>"', '"<invalid>"', 'null'].includes(plain) ? plain : '"‹running›"';
}

/**
 * Entries are ordered by the second of their writing, so two writes around the turn of a second come in another order.
 * Entries of controllers are left out where they write on their own time.
 */
function managed(raw: string, { subject, scope }: Reading): string {
  if (!raw.startsWith('[')) return raw;
  const entries = JSON.parse(raw) as { manager?: string }[];
  const kept = entries.filter((entry) => subject.settled || entry.manager !== 'kube-controller-manager');
  return sorted(JSON.stringify(kept), scope);
}

/** Go walks maps at random: the order of causes has no meaning. */
function sorted(raw: string, scope: string): string {
  const entries = JSON.parse(normaliseText(raw, scope)) as unknown[];
  // by their content: one server may write their keys in another order
  const ordered = entries.map((entry) => [JSON.stringify(inOrder(entry)), JSON.stringify(entry)] as const);
  return `[${ordered
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, text]) => text)
    .join(',')}]`;
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, inOrder(one)]),
  );
}

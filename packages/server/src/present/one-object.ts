/** Rewrites one place's complete answer for a view: an object, a list, a Table, or an error (NAME-4). */

import { skipLong } from '@fleet/kube/item-ends.ts';
import {
  eachElement,
  eachMember,
  isArray,
  isObject,
  JsonBytesError,
  spanIs,
  stop,
  stringSpan,
} from '@fleet/kube/json-bytes.ts';
import { eachKnownMember } from '@fleet/kube/plain-keys.ts';
import type { View } from '../target/target.ts';
import { type SelectorForm, withClusterSelector } from './cluster-selector.ts';
import { type Marking, objectInsertions, spliced } from './marking.ts';
import { presentList, type TableLayout } from './one-list.ts';
import { type AskedNames, presentStatus } from './status-names.ts';

/** How one place's answers are rewritten. */
export interface Shown extends AskedNames {
  view: View;
  marking: Marking;
  /** How its kind writes a selector of pods, if the selector is narrowed to its own cluster (NAME-11). */
  selector?: SelectorForm | undefined;
}

/** The first kind in the bytes, which is all that the beginning of a long answer shows. */
export function firstKindOf(bytes: Buffer): string | undefined {
  let kind: string | undefined;
  eachMember(bytes, 0, (key, value) => {
    if (!spanIs(bytes, key, 'kind')) return undefined;
    kind = textAt(bytes, value);
    return stop;
  });
  return kind;
}

function textAt(bytes: Buffer, at: number): string | undefined {
  const span = stringSpan(bytes, at);
  return span && bytes.toString('utf8', span.start, span.end);
}

interface Outline {
  kind?: string | undefined;
  /** Whether it has items, as a list does. */
  lists: boolean;
  /** Whether its items are objects: kubectl takes such an answer for a list, whatever its kind. */
  holdsObjects: boolean;
}

/** Throws if clients would read another kind. */
function outlineOf(bytes: Buffer): Outline {
  const outline: Outline = { lists: false, holdsObjects: false };
  eachKnownMember(bytes, 0, ['kind', 'apiVersion', 'items', 'rows'], (name, value) => {
    if (name === 'kind') outline.kind = textAt(bytes, value);
    else if (name === 'items' || name === 'rows') outline.lists = true;
    if (name === 'items' && isArray(bytes, value)) {
      return eachElement(bytes, value, (item) => {
        outline.holdsObjects ||= isObject(bytes, item);
      });
    }
    // Skips most of an object.
    return isObject(bytes, value) || isArray(bytes, value) ? skipLong(bytes, value) : undefined;
  });
  return outline;
}

export async function presentAnswer(bytes: Buffer, shown: Shown, layout?: TableLayout): Promise<Buffer> {
  const { kind, lists, holdsObjects } = outlineOf(bytes);
  if (kind === 'Table' || (kind?.endsWith('List') && lists)) return presentWholeList(bytes, shown, layout);
  if (holdsObjects) throw new JsonBytesError('a list whose kind is not that of a list');
  return kind === 'Status' ? presentStatus(bytes, shown) : presentObject(bytes, shown);
}

function presentObject(bytes: Buffer, { marking, cluster, selector }: Shown): Buffer {
  const object = selector ? withClusterSelector(bytes, cluster, selector) : bytes;
  return Buffer.concat([...spliced(object, objectInsertions(object, 0, marking))]);
}

async function presentWholeList(bytes: Buffer, { marking }: Shown, layout?: TableLayout): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of presentList(once(bytes), marking, layout)) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

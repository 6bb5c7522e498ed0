/** One place's answer as a view shows it, once all of it is there: an object, a list, a Table, or an error (NAME-4). */

import { eachMember, spanIs, stop, stringSpan } from '@fleet/kube/json-bytes.ts';
import type { View } from '../target/target.ts';
import { type SelectorForm, withClusterSelector } from './cluster-selector.ts';
import { type Marking, objectInsertions, spliced } from './marking.ts';
import { presentList, type TableLayout } from './one-list.ts';
import { type AskedNames, presentStatus } from './status-names.ts';

/** How one place's answers are shown. */
export interface Shown extends AskedNames {
  view: View;
  marking: Marking;
  /** How its kind writes a selector of pods, if that is to choose its own cluster's only (NAME-11). */
  selector?: SelectorForm | undefined;
}

export function kindOf(bytes: Buffer, at = 0): string | undefined {
  let kind: string | undefined;
  eachMember(bytes, at, (key, value) => {
    if (!spanIs(bytes, key, 'kind')) return undefined;
    const span = stringSpan(bytes, value);
    kind = span && bytes.toString('utf8', span.start, span.end);
    return stop;
  });
  return kind;
}

function isList(bytes: Buffer): boolean {
  let found = false;
  eachMember(bytes, 0, (key) => {
    found ||= spanIs(bytes, key, 'items') || spanIs(bytes, key, 'rows');
    return found ? stop : undefined;
  });
  return found;
}

export async function presentAnswer(bytes: Buffer, shown: Shown, layout?: TableLayout): Promise<Buffer> {
  const kind = kindOf(bytes);
  if (kind === 'Status') return presentStatus(bytes, shown);
  if (kind === 'Table' || (kind?.endsWith('List') && isList(bytes))) return presentWholeList(bytes, shown, layout);
  return presentObject(bytes, shown);
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

/** One object as a suffixed view shows it: the object, a Table of one row, or an error about it (NAME-4). */

import { eachMember, JsonBytesError, spanIs, stop, stringSpan } from '@fleet/kube/json-bytes.ts';
import { splitList } from '@fleet/kube/list-splitter.ts';
import type { Status } from '@fleet/kube/status.ts';
import { suffixOf } from '../target/suffixed-name.ts';
import type { ClusterName } from '../target/target.ts';
import { type SelectorForm, withClusterSelector } from './cluster-selector.ts';
import { objectInsertions, rowInsertions, spliced } from './suffix-bytes.ts';
import { nameColumns } from './table-columns.ts';

export interface Shown {
  cluster: ClusterName;
  /** The name as the member knows it. */
  name: string;
  isEvent: boolean;
  /** How its kind writes a selector of pods, if it has one. */
  selector?: SelectorForm | undefined;
}

function kindOf(bytes: Buffer): string | undefined {
  let kind: string | undefined;
  eachMember(bytes, 0, (key, value) => {
    if (!spanIs(bytes, key, 'kind')) return undefined;
    const span = stringSpan(bytes, value);
    kind = span && bytes.toString('utf8', span.start, span.end);
    return stop;
  });
  return kind;
}

export async function presentObject(bytes: Buffer, shown: Shown): Promise<Buffer> {
  const kind = kindOf(bytes);
  if (kind === 'Status') return presentStatus(bytes, shown);
  if (kind === 'Table') return presentTable(bytes, shown);
  const object = shown.selector ? withClusterSelector(bytes, shown.cluster, shown.selector) : bytes;
  const suffix = Buffer.from(suffixOf(shown.cluster));
  return Buffer.concat([...spliced(object, objectInsertions(object, 0, shown.isEvent), suffix)]);
}

/** `details.name` and the quoted name in the message, so that what kubectl prints is what the user typed. */
function presentStatus(bytes: Buffer, { name, cluster }: Shown): Buffer {
  const status = JSON.parse(bytes.toString()) as Status;
  const suffixed = name + suffixOf(cluster);
  if (status.details?.name === name) status.details.name = suffixed;
  status.message = status.message?.replaceAll(`"${name}"`, () => `"${suffixed}"`);
  return Buffer.from(`${JSON.stringify(status)}\n`);
}

async function presentTable(bytes: Buffer, { cluster, isEvent }: Shown): Promise<Buffer> {
  const suffix = Buffer.from(suffixOf(cluster));
  const pieces: Buffer[] = [];
  let columns: ReadonlySet<number> = new Set();
  let from = 0;
  for await (const part of splitList(once(bytes))) {
    if (part.is === 'head') columns = nameColumns(part.envelope.columnDefinitions ?? [], isEvent);
    if (part.is !== 'items') continue;
    for (const row of part.items) {
      // The splitter gave a view of the same memory, so its offset tells where the row stands.
      const start = row.byteOffset - bytes.byteOffset;
      if (start < from) throw new JsonBytesError('rows out of order');
      pieces.push(bytes.subarray(from, start), ...spliced(row, rowInsertions(row, columns, isEvent), suffix));
      from = start + row.length;
    }
  }
  return Buffer.concat([...pieces, bytes.subarray(from)]);
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

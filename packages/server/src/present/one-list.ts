/** Rewrites one place's list or Table for a view, item by item as it arrives. The bytes around the items do not change. */

import type { AnswerMemory } from '@fleet/kube/answer-memory.ts';
import { type ListEnvelope, splitList } from '@fleet/kube/list-splitter.ts';
import { refuseUnaskedList } from './asked-objects.ts';
import { type Insertion, type Marking, objectInsertions, rowInsertions, spliced } from './marking.ts';
import { clusterColumn, nameColumns } from './table-columns.ts';

const comma = Buffer.from(',');

/** The columns that show names: a watch has them in its first Table only. */
export interface TableLayout {
  named: ReadonlySet<number>;
}

export async function* presentList(
  body: AsyncIterable<Buffer>,
  marking: Marking,
  layout: TableLayout = { named: new Set() },
  memory?: AnswerMemory,
): AsyncGenerator<Buffer> {
  let insertions: (item: Buffer) => Insertion[] = (item) => objectInsertions(item, 0, marking);
  let first = true;
  for await (const part of splitList(body, memory)) {
    if (part.is !== 'items') refuseUnaskedList(part.envelope, marking.asked);
    if (part.is === 'end') yield Buffer.from(part.text);
    else if (part.is === 'head') {
      const { envelope } = part;
      const { columnDefinitions } = envelope;
      if (envelope.kind === 'Table') {
        if (columnDefinitions) layout.named = nameColumns(columnDefinitions, marking.isEvent);
        insertions = (row) => rowInsertions(row, layout.named, marking);
      }
      yield marking.cell && columnDefinitions ? withClusterColumn(envelope) : part.text;
    } else {
      const pieces: Buffer[] = [];
      for (const item of part.items) {
        if (!first) pieces.push(comma);
        first = false;
        pieces.push(...spliced(item, insertions(item)));
      }
      yield Buffer.concat(pieces);
    }
  }
}

/** A head is small and has only small numbers, so it can be parsed and printed again. */
function withClusterColumn(envelope: ListEnvelope): Buffer {
  const { rows: _, ...head } = envelope as ListEnvelope & { rows?: unknown };
  const columnDefinitions = [...(envelope.columnDefinitions ?? []), clusterColumn];
  return Buffer.from(`${JSON.stringify({ ...head, columnDefinitions }).slice(0, -1)},"rows":[`);
}

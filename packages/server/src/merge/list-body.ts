/** Writes a merged list: the members' items one after the other, as bytes, never parsed as a whole. */

import type { ListEnvelope } from '@fleet/kube/list-splitter.ts';
import type { ObjectNames } from '@fleet/kube/object-names.ts';
import { StatusError } from '@fleet/kube/status.ts';
import type { AskedObjects } from '../present/asked-objects.ts';
import { mergedMarkingOf, objectInsertions, rowInsertions } from '../present/marking.ts';
import { Pieces } from '../present/pieces.ts';
import {
  clusterColumn,
  columnMapping,
  layoutOf,
  listColumns,
  nameColumns,
  remapRow,
  withLayout,
} from '../present/table-columns.ts';
import { combineVersions } from '../present/versions.ts';
import type { View } from '../target/target.ts';
import type { OpenedList } from './open-list.ts';
import { type Answered, brokenAnswer } from './settle.ts';
import type { SourceList } from './source.ts';

export interface ListShape {
  view: View;
  isEvent: boolean;
  asked: AskedObjects | undefined;
}

/** The metadata of a list. */
export interface ListMetadata {
  continue?: string | undefined;
  remainingItemCount?: number | undefined;
  resourceVersion: string;
}

type Lists = readonly Answered<SourceList>[];

/** Appends one member's item. */
type Splice = (to: Pieces, item: Buffer, known: ObjectNames | undefined) => void;

const chunkSize = 256 * 1024;

export function objectListBody(
  { lists, metadata }: OpenedList,
  { view, isEvent, asked }: ListShape,
): AsyncGenerator<Buffer> {
  const head = lists[0]!.answer.head;
  // Lists of custom resources end with their metadata; if one member's does, the merged list's does. So do pages: the position
  // of the next one is known once this one is full.
  // the next one begins shows when this one is full.
  const isCustom = lists.some(({ answer: { head } }) => head.metadata?.resourceVersion === undefined || !head.kind);
  const late = metadata !== undefined || isCustom;
  const apiVersion = ({ apiVersion }: ListEnvelope) => `"apiVersion":${JSON.stringify(apiVersion)}`;
  const open = late
    ? `{${head.apiVersion === undefined ? '' : `${apiVersion(head)},`}"items":[`
    : `{"kind":${JSON.stringify(head.kind)},${apiVersion(head)},"metadata":{"resourceVersion":"${versionOf(lists)}"},"items":[`;
  const close = async () => {
    if (!late) return ']}\n';
    const end = lists[0]!.answer.end();
    const untold = head.apiVersion === undefined ? `${apiVersion(end)},` : '';
    const own = metadata ? await metadata() : { resourceVersion: versionOf(lists) };
    const shown = isCustom ? { continue: '', ...own } : own;
    return `],${untold}"kind":${JSON.stringify(end.kind)},"metadata":${JSON.stringify(shown)}}\n`;
  };
  const splicers = lists.map(({ cluster }): Splice => {
    const marking = mergedMarkingOf(view, cluster, isEvent, asked);
    return (to, item, known) => to.splice(item, objectInsertions(item, 0, marking, known));
  });
  return joined(lists, splicers, open, close);
}

export function tableBody(
  { lists, metadata, columns: layout }: OpenedList,
  { view, isEvent, asked }: ListShape,
): AsyncGenerator<Buffer> {
  const columnsOf = ({ head }: SourceList) => head.columnDefinitions ?? [];
  const columns = withLayout(layout, listColumns(lists.map(({ answer }) => columnsOf(answer))));
  const named = nameColumns(columns, isEvent);
  const shown = view.annotated ? [...columns, clusterColumn] : columns;
  const own = metadata ? '' : `"metadata":{"resourceVersion":"${versionOf(lists)}"},`;
  const open = `{"kind":"Table","apiVersion":"meta.k8s.io/v1",${own}"columnDefinitions":${JSON.stringify(shown)},"rows":[`;
  const close = async () => {
    const agreed = !layout && lists.every(({ answer }) => columnMapping(columnsOf(answer), columns) === undefined);
    return metadata
      ? `],"metadata":${JSON.stringify(await metadata(agreed ? undefined : layoutOf(columns)))}}\n`
      : ']}\n';
  };
  const splicers = lists.map(({ cluster, answer }): Splice => {
    const marking = mergedMarkingOf(view, cluster, isEvent, asked);
    // Not before the first row: a page opens some members only when it reaches them.
    let mapping: ReturnType<typeof columnMapping> | 'unknown' = 'unknown';
    return (to, own) => {
      if (mapping === 'unknown') mapping = columnMapping(columnsOf(answer), columns);
      const row = mapping ? remapRow(own, mapping) : own;
      to.splice(row, rowInsertions(row, named, marking));
    };
  });
  return joined(lists, splicers, open, close);
}

const envelopeVersion = ({ metadata }: ListEnvelope): string | undefined => metadata?.resourceVersion;

function versionOf(lists: Lists): string {
  const versions = lists.map(
    ({ cluster, answer }) => [cluster, envelopeVersion(answer.head) ?? envelopeVersion(answer.end()) ?? ''] as const,
  );
  return combineVersions(new Map(versions));
}

/** Combines pieces into chunks: few large writes cost less than many small ones. The source buffers are free afterwards. */
async function* joined(
  lists: Lists,
  splicers: readonly Splice[],
  open: string,
  close: () => Promise<string>,
): AsyncGenerator<Buffer, void, undefined> {
  const pieces = new Pieces();
  pieces.add(Buffer.from(open));
  let first = true;
  for (const [index, { cluster, answer }] of lists.entries()) {
    const splice = splicers[index]!;
    try {
      for await (const items of answer.items) {
        for (const [at, item] of items.entries()) {
          if (!first) pieces.add(comma);
          first = false;
          splice(pieces, item, items.namesOf?.(at));
        }
        if (items.cutFrom) pieces.cutFrom(items.cutFrom);
        if (pieces.size >= chunkSize) yield pieces.gather();
      }
    } catch (cause) {
      throw cause instanceof StatusError ? cause : brokenAnswer(cluster, cause);
    }
  }
  pieces.add(Buffer.from(await close()));
  yield pieces.gather();
}

const comma = Buffer.from(',');

/** Prints Tables of a server as kubectl does. */

import { Lines } from './lines.ts';
import type { Output, Printed } from './output.ts';
import { type OwnColumns, withOwnColumns } from './own-columns.ts';
import { kindName, type ResourceType } from './resource-types.ts';

export interface Column {
  name: string;
  type: string;
  format?: string;
  priority?: number;
}

export interface Row {
  cells?: unknown[] | null;
  /** Its metadata alone, or with `includeObject=Object` all of it. */
  object?: { metadata?: { namespace?: string } };
}

export interface Table {
  kind: 'Table';
  columnDefinitions?: Column[] | null;
  rows?: Row[] | null;
}

export interface TableOptions {
  wide: boolean;
  /** A column for it, where objects have one. */
  withNamespace: boolean;
  /** `pod/x` instead of `x`. */
  withKind: boolean;
  withHeadings: boolean;
  /** Of a type whose columns the command completes. */
  ownColumns?: ((type: ResourceType) => OwnColumns | undefined) | undefined;
}

export const tableAccept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

export class TableOutput implements Output {
  readonly accept = { object: tableAccept, list: tableAccept };
  readonly query: Readonly<Record<string, string>>;
  isEmpty = true;
  private readonly options: TableOptions;
  private readonly write: (text: string) => void;
  private type: ResourceType | undefined;
  private lines = new Lines();
  private columns: Column[] = [];
  private cellsOf = ({ cells }: Row): unknown[] => cells ?? [];

  constructor(options: TableOptions, write: (text: string) => void) {
    this.options = options;
    this.write = write;
    this.query = options.ownColumns ? { includeObject: 'Object' } : {};
  }

  print(printed: Printed, type: ResourceType): void {
    const table = tableOf(printed);
    const rows = table.rows ?? [];
    const isFirst = this.type !== type;
    if (isFirst || table.columnDefinitions?.length) this.take(table.columnDefinitions ?? [], type);
    if (rows.length === 0) return;
    if (isFirst) this.begin(type);
    const head = isFirst && this.options.withHeadings ? [this.headings(type)] : [];
    this.write(this.lines.print([...head, ...rows.map((row) => this.cells(row, type))]));
    this.isEmpty = false;
  }

  end(): void {}

  private take(columns: Column[], type: ResourceType): void {
    const own = this.options.ownColumns?.(type);
    const completed = own && withOwnColumns(columns, own);
    this.columns = completed?.columns ?? columns;
    this.cellsOf = completed?.cellsOf ?? (({ cells }) => cells ?? []);
  }

  private begin(type: ResourceType): void {
    if (!this.isEmpty) this.write('\n');
    this.type = type;
    this.lines = new Lines();
  }

  private headings(type: ResourceType): string[] {
    const names = this.columns.filter((column) => this.isShown(column)).map(({ name }) => name.toUpperCase());
    return this.hasNamespace(type) ? ['NAMESPACE', ...names] : names;
  }

  private cells(row: Row, type: ResourceType): string[] {
    const { object } = row;
    const cells = this.cellsOf(row);
    const shown = this.columns.flatMap((column, index) => {
      if (!this.isShown(column)) return [];
      const text = cellText(cells[index]);
      const isName = column.format === 'name' && column.type === 'string';
      return [isName && this.options.withKind ? `${kindName(type)}/${text}` : text];
    });
    return this.hasNamespace(type) ? [cellText(object?.metadata?.namespace), ...shown] : shown;
  }

  private isShown({ priority = 0 }: Column): boolean {
    return this.options.wide || priority === 0;
  }

  private hasNamespace({ namespaced }: ResourceType): boolean {
    return this.options.withNamespace && namespaced;
  }
}

/** Only its first line. Control characters could do things to a terminal. */
function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  const text = typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
  const end = text.search(/[\f\n\r]/);
  const line = end < 0 ? text : `${text.slice(0, end)}...`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go
  return line.replace(/\x1b/g, '^[').replace(/\t/g, ' ');
}

/** A server that makes no Tables of a kind sends the objects. */
function tableOf(printed: Printed): Table {
  if (printed.kind === 'Table') return printed as unknown as Table;
  const objects = printed.items ?? [printed];
  return {
    kind: 'Table',
    columnDefinitions: [
      { name: 'Name', type: 'string', format: 'name' },
      { name: 'Created At', type: 'date' },
    ],
    rows: objects.map((object) => {
      const { name, creationTimestamp, namespace } = object.metadata ?? {};
      return { cells: [name, creationTimestamp], object: { metadata: { ...(namespace ? { namespace } : {}) } } };
    }),
  };
}

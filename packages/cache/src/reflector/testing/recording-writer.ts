/** A feed that keeps names and versions, and records what it was given. */

import { isDeepStrictEqual } from 'node:util';
import type { ColumnDefinition } from '@fleet/kube/list-splitter.ts';
import { CacheFullError, type Change, type FeedWriter, type Relist } from '../../feed-writer.ts';

interface Item {
  metadata?: { name: string; resourceVersion: string };
  object?: Item;
}

export class RecordingWriter implements FeedWriter {
  position: string | undefined;
  objects = new Map<string, string>();
  readonly commits: { position: string; form: string; wentBack: boolean }[] = [];
  readonly batches: { changes: string[]; position: string }[] = [];
  seenColumns: (readonly ColumnDefinition[])[] = [];
  /** How many objects fit. */
  most = Number.POSITIVE_INFINITY;
  /** Prepares one slice of a commit; returns whether more is left. */
  prepare: (position: string) => boolean = () => false;
  /** Lists that were begun and are neither committed nor disposed of. */
  open = 0;

  relist(form: 'row' | 'object'): Relist {
    const found = new Map<string, string>();
    let isOpen = true;
    this.open++;
    const close = () => {
      if (isOpen) this.open--;
      isOpen = false;
    };
    return {
      add: (items) => {
        for (const item of items) found.set(...read(item, form));
        if (found.size > this.most) throw new CacheFullError('nothing more fits');
      },
      prepare: (position) => this.prepare(position),
      commit: (position, { wentBack = false } = {}) => {
        this.objects = found;
        this.position = position;
        this.commits.push({ position, form, wentBack });
        close();
      },
      [Symbol.dispose]: close,
    };
  }

  apply(changes: readonly Change[], position: string): void {
    const form = this.commits.at(-1)!.form;
    const next = new Map(this.objects);
    const texts = changes.map(({ type, item }) => {
      const [name, version] = read(item, form);
      if (type === 'DELETED') next.delete(name);
      else next.set(name, version);
      return `${type} ${name}`;
    });
    if (next.size > this.most) throw new CacheFullError('nothing more fits');
    this.objects = next;
    this.position = position;
    this.batches.push({ changes: texts, position });
  }

  columns(columns: readonly ColumnDefinition[]): boolean {
    const isOther = this.seenColumns.length > 0 && !isDeepStrictEqual(columns, this.seenColumns.at(-1));
    this.seenColumns.push(columns);
    return isOther;
  }

  get names(): string[] {
    return [...this.objects.keys()].toSorted();
  }
}

function read(bytes: Buffer, form: string): [string, string] {
  const item = JSON.parse(bytes.toString()) as Item;
  const { metadata } = (form === 'row' ? item.object : item) as Item;
  return [metadata!.name, metadata!.resourceVersion];
}

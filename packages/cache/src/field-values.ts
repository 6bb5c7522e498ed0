/** Reads the values of selectable fields out of an object's bytes. */

import {
  eachMember,
  isArray,
  isObject,
  JsonBytesError,
  type Span,
  skipValue,
  spanIs,
  stop,
  stringSpan,
} from '@fleet/kube/json-bytes.ts';
import { backslash } from '@fleet/kube/json-signs.ts';
import type { SelectableField } from './field-paths.ts';
import { JsonMemberLimit } from './json-member-limit.ts';

interface Branch {
  key: string;
  branches: Branch[];
  /** The fields, and which of their paths, that end at this key. */
  leaves: { field: number; path: number }[];
}

/** The paths of all fields as one tree, so that one pass over the object reads them all. */
export class FieldValues {
  private readonly fields: readonly SelectableField[];
  private readonly root: Branch = { key: '', branches: [], leaves: [] };
  private values: string[][] = [];
  /** Values still to be found; at 0 the walk stops early. */
  private unread = Number.POSITIVE_INFINITY;

  constructor(fields: readonly SelectableField[]) {
    this.fields = fields;
    for (const [index, { paths }] of fields.entries()) {
      for (const [path, keys] of paths.entries()) {
        let branch = this.root;
        for (const key of keys) branch = child(branch, key);
        branch.leaves.push({ field: index, path });
      }
    }
    this.begin();
  }

  get count(): number {
    return this.fields.length;
  }

  /** Discards the values of the previous object. */
  begin(): void {
    this.values = this.fields.map(() => []);
  }

  /** Called with each top-level key of an object. Returns the offset after its value, or undefined if the value was not read. */
  visit(bytes: Buffer, key: Span, value: number): number | undefined {
    const branch = this.root.branches.find((one) => spanIs(bytes, key, one.key));
    return branch && this.read(bytes, value, branch);
  }

  /** The values of one object, read no further than the last of them. */
  of(bytes: Buffer): string[] {
    this.begin();
    this.unread = this.fields.reduce((sum, { paths }) => sum + paths.length, 0);
    let branches = this.root.branches.length;
    eachMember(bytes, 0, (key, value) => {
      const after = this.visit(bytes, key, value);
      if (after === undefined) return undefined;
      return --branches === 0 ? stop : after;
    });
    this.unread = Number.POSITIVE_INFINITY;
    return this.take();
  }

  /** The values in the order of the fields; absent ones are Go's zero value. */
  take(): string[] {
    return this.fields.map(({ zero }, index) => this.values[index]!.find((text) => text) ?? zero);
  }

  private read(bytes: Buffer, at: number, { branches, leaves }: Branch): number {
    if (leaves.length > 0) {
      const text = scalarText(bytes, at);
      for (const { field, path } of leaves) {
        if (this.values[field]![path] === undefined) this.unread--;
        this.values[field]![path] = text;
      }
      if (this.unread === 0) return stop;
    }
    if (branches.length === 0 || !isObject(bytes, at)) return skipValue(bytes, at);
    const members = new JsonMemberLimit();
    return eachMember(bytes, at, (key, value) => {
      members.next();
      const branch = branches.find((one) => spanIs(bytes, key, one.key));
      return branch && this.read(bytes, value, branch);
    });
  }
}

function child(branch: Branch, key: string): Branch {
  const known = branch.branches.find((one) => one.key === key);
  if (known) return known;
  const made = { key, branches: [], leaves: [] };
  branch.branches.push(made);
  return made;
}

/** Objects, arrays and null have no text. */
function scalarText(bytes: Buffer, at: number): string {
  const span = stringSpan(bytes, at);
  if (span) return textOf(bytes, span);
  if (isObject(bytes, at) || isArray(bytes, at)) return '';
  const text = bytes.toString('latin1', at, skipValue(bytes, at));
  return text === 'null' ? '' : text;
}

export function textOf(bytes: Buffer, { start, end }: Span): string {
  const inner = bytes.subarray(start, end);
  if (!inner.includes(backslash)) return inner.toString();
  try {
    return JSON.parse(bytes.toString('utf8', start - 1, end + 1)) as string;
  } catch (cause) {
    throw new JsonBytesError('a string that cannot be parsed', { cause });
  }
}

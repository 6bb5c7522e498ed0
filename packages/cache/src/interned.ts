/**
 * Texts that many objects share, such as label sets: stored once with a reference count, and known by a number. A selector is
 * evaluated once per text, not once per object.
 */

interface Entry<Value> {
  text: string;
  value: Value;
  count: number;
  /** In bytes. */
  size: number;
}

/** In bytes, measured on the heap: an entry with its slot in the map, and each part of a value. */
const [overhead, perPart] = [260, 75];
const isWide = /[^\0-\xff]/;

/** The text itself and the parts parsed from it. V8 stores text beyond Latin-1 with two bytes per character. */
const sizeOf = (text: string, parts: number): number =>
  overhead + perPart * parts + (isWide.test(text) ? 4 : 2) * text.length;

/** A result per text, by its number, such as whether a selector matches. Reset when the number is reused for another text. */
export class Memo {
  private answers = new Uint8Array(64);

  /** 0: no result yet. */
  of(id: number): number {
    return id < this.answers.length ? this.answers[id]! : 0;
  }

  set(id: number, answer: number): void {
    if (id >= this.answers.length) {
      const grown = new Uint8Array(Math.max(id + 1, this.answers.length * 2));
      grown.set(this.answers);
      this.answers = grown;
    }
    this.answers[id] = answer;
  }

  /** Its number is no longer used for this text. */
  reset(id: number): void {
    if (id < this.answers.length) this.answers[id] = 0;
  }
}

export class Interned<Value> {
  bytes = 0;
  private readonly read: (text: string) => Value;
  private readonly partsOf: (value: Value) => number;
  private readonly ids = new Map<string, number>();
  private readonly entries: (Entry<Value> | undefined)[] = [];
  private readonly unused: number[] = [];
  private readonly memos = new Set<Memo>();

  /** `read` parses a text, or throws. `partsOf`: how many texts its value holds. */
  constructor(read: (text: string) => Value, partsOf: (value: Value) => number) {
    this.read = read;
    this.partsOf = partsOf;
  }

  get size(): number {
    return this.ids.size;
  }

  /** Adds one reference to the text. Returns its number. */
  add(text: string): number {
    const known = this.ids.get(text);
    if (known !== undefined) {
      this.entries[known]!.count++;
      return known;
    }
    const value = this.read(text);
    const entry = { text, value, count: 1, size: sizeOf(text, this.partsOf(value)) };
    const id = this.unused.pop() ?? this.entries.length;
    this.entries[id] = entry;
    this.ids.set(text, id);
    this.bytes += entry.size;
    return id;
  }

  valueOf(id: number): Value {
    return this.entries[id]!.value;
  }

  release(id: number): void {
    const entry = this.entries[id]!;
    if (--entry.count > 0) return;
    this.ids.delete(entry.text);
    this.entries[id] = undefined;
    this.unused.push(id);
    this.bytes -= entry.size;
    for (const memo of this.memos) memo.reset(id);
  }

  memo(): Memo {
    const memo = new Memo();
    this.memos.add(memo);
    return memo;
  }

  forget(memo: Memo): void {
    this.memos.delete(memo);
  }
}

/** Texts that many objects share, kept once and counted: a selector is evaluated once for each of them, not for each object. */

interface Entry<Value> {
  text: string;
  value: Value;
  count: number;
  /** What it takes. */
  size: number;
}

/** Measured on the heap: its entry with its place in the map, and each part of a value with its heads and slots. */
const [overhead, perPart] = [260, 75];
const isWide = /[^\0-\xff]/;

/** The text and the parts that were read of it; what is beyond Latin-1 takes two bytes a character. */
const sizeOf = (text: string, parts: number): number =>
  overhead + perPart * parts + (isWide.test(text) ? 4 : 2) * text.length;

/** What was found out about each text, by its number; forgotten when the number is used for another text. */
export class Memo {
  private answers = new Uint8Array(64);

  /** 0: not known yet. */
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
}

export class Interned<Value> {
  bytes = 0;
  private readonly read: (text: string) => Value;
  private readonly partsOf: (value: Value) => number;
  private readonly ids = new Map<string, number>();
  private readonly entries: (Entry<Value> | undefined)[] = [];
  private readonly unused: number[] = [];
  private readonly memos = new Set<Memo>();

  /** `read` throws for a text that cannot be read. `partsOf`: how many texts a value has. */
  constructor(read: (text: string) => Value, partsOf: (value: Value) => number) {
    this.read = read;
    this.partsOf = partsOf;
  }

  get size(): number {
    return this.ids.size;
  }

  /** Counts one use of the text. */
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
    for (const memo of this.memos) memo.set(id, 0);
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

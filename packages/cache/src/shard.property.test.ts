import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EventsAnswer, ItemForm, ReadAnswer } from './messages.ts';
import { MemoryShard } from './shard.ts';
import { itemsOf } from './testing/contract-context.ts';
import { NaiveModel, selections, shown } from './testing/naive-model.ts';
import { podFeed, type Sample, sampleColumns, sampleRow } from './testing/sample-objects.ts';

const feed = podFeed.id;
const keptEvents = 12;
const keptTime = 1_000;

const keys = ['a', 'a-b', 'a.b', 'a0'].flatMap((namespace) =>
  ['a', 'b', 'a-b', 'z'].map((name) => `${namespace}/${name}`),
);

const forms: ItemForm[] = [
  { as: 'object', inList: true },
  { as: 'object', inList: false },
  { as: 'PartialObjectMetadata' },
  { as: 'Table', includeObject: 'None' },
  { as: 'Table', includeObject: 'Metadata' },
  { as: 'Table', includeObject: 'Object' },
];

const drawn = {
  key: fc.constantFrom(...keys),
  label: fc.constantFrom('web', 'db', undefined),
  phase: fc.constantFrom('Running', 'Pending'),
  isOther: fc.boolean(),
  padding: fc.nat(700),
};
type Drawn = { [Name in keyof typeof drawn]: (typeof drawn)[Name] extends fc.Arbitrary<infer Value> ? Value : never };
const change = fc.record({ ...drawn, isDelete: fc.boolean() });
const reading = {
  selection: fc.nat(selections.length - 1),
  within: fc.option(fc.constantFrom('a', 'a-b', 'none'), { nil: undefined }),
  form: fc.constantFrom(...forms),
  bytes: fc.constantFrom(1, 1_500, 100_000),
};

const command = fc.oneof(
  { weight: 6, arbitrary: fc.record({ is: fc.constant('apply'), changes: fc.array(change, { maxLength: 4 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ is: fc.constant('relist'), kept: fc.nat(), changes: fc.array(change, { maxLength: 6 }) }),
  },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('maintain'), time: fc.constantFrom(0, 300, 2_000) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      is: fc.constant('list'),
      limit: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
      ...reading,
    }),
  },
  { weight: 5, arbitrary: fc.record({ is: fc.constant('page'), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('watch'), ...reading }) },
  { weight: 5, arbitrary: fc.record({ is: fc.constant('events'), which: fc.nat() }) },
);

interface OpenList {
  seq: number;
  after: string | undefined;
  got: string[];
  ask: Reading & { limit: number | undefined };
}
interface OpenWatch {
  from: number;
  seq: number;
  skip: number;
  position: string;
  got: string[];
  ask: Reading;
}
interface Reading {
  selection: number;
  within: string | undefined;
  form: ItemForm;
  bytes: number;
}

class Comparison {
  readonly shard: MemoryShard;
  private readonly model: NaiveModel;
  private time = 1_000;
  private version = 100;
  private lists: OpenList[] = [];
  private watches: OpenWatch[] = [];

  private constructor(shard: MemoryShard, seq: number) {
    this.shard = shard;
    this.model = new NaiveModel(seq, 100, []);
  }

  static async open(): Promise<Comparison> {
    let made: Comparison | undefined;
    const history = { milliseconds: keptTime, events: keptEvents };
    const now = () => made?.time ?? 0;
    const shard = new MemoryShard({
      limit: 1e9,
      segmentSize: 4_000,
      compressedAtOnce: 6,
      history,
      now,
      clock: () => 0,
    });
    await shard.want({ feeds: [podFeed] });
    const writer = shard.writer(feed)!;
    writer.columns(sampleColumns);
    using relist = writer.relist('row');
    relist.commit('100');
    const first = await shard.read({ feed, at: 'now', form: forms[0]!, bytes: 1 });
    made = new Comparison(shard, first.is === 'page' ? first.seq : -1);
    return made;
  }

  async run(step: typeof command extends fc.Arbitrary<infer Step> ? Step : never): Promise<void> {
    switch (step.is) {
      case 'apply':
        return this.apply(step.changes);
      case 'relist':
        return this.relist(step.kept, step.changes);
      case 'maintain':
        this.time += step.time;
        return this.shard.maintain();
      case 'list':
        this.lists.push({ seq: this.model.seq, after: undefined, got: [], ask: step });
        return this.page(this.lists.length - 1);
      case 'page':
        return this.page(step.which);
      case 'watch':
        this.watches.push({
          from: this.model.seq,
          seq: this.model.seq,
          skip: 0,
          position: String(this.model.position),
          got: [],
          ask: step,
        });
        return;
      case 'events':
        await this.events(step.which);
        return;
    }
  }

  /** All that is open is read to its end. */
  async finish(): Promise<void> {
    while (this.lists.length > 0) await this.page(0);
    for (let which = 0; which < this.watches.length; ) {
      const before = this.watches.length;
      if (await this.events(which)) which++;
      else if (this.watches.length < before) continue;
    }
  }

  private sample({ key, label, phase, isOther, padding }: Drawn): Sample {
    const uid = this.model.objects.get(key)?.uid ?? `uid-${key}`;
    const version = ++this.version;
    // Some label sets come and go with one object.
    const own = padding % 2 === 0 ? {} : { rev: `r${version}` };
    const labels = label === undefined ? own : { app: label, ...own };
    return { key, version, uid: isOther ? `${key}-${version}` : uid, labels, phase, padding };
  }

  private apply(changes: readonly (Drawn & { isDelete: boolean })[]): void {
    this.time += 10;
    const made = changes.map((drawn) => {
      const sample = drawn.isDelete ? this.deleted(drawn) : this.sample(drawn);
      this.model.apply(drawn.isDelete ? 'delete' : 'put', sample);
      return {
        type: drawn.isDelete ? ('DELETED' as const) : ('MODIFIED' as const),
        item: Buffer.from(sampleRow(sample)),
      };
    });
    this.version += 5;
    this.model.bookmark(this.version);
    this.shard.writer(feed)!.apply(made, String(this.version));
  }

  /** As it was, with the version of its deletion. */
  private deleted(drawn: Drawn): Sample {
    const known = this.model.objects.get(drawn.key);
    return known ? { ...known, version: ++this.version } : this.sample(drawn);
  }

  private relist(kept: number, changes: readonly Drawn[]): void {
    const samples = new Map([...this.model.objects].filter((_, index) => ((kept >> (index % 16)) & 1) === 0));
    for (const drawn of changes) samples.set(drawn.key, this.sample(drawn));
    this.version += 5;
    this.model.relist([...samples.values()], this.version);
    using relist = this.shard.writer(feed)!.relist('row');
    for (const sample of samples.values()) relist.add([Buffer.from(sampleRow(sample))]);
    relist.commit(String(this.version));
  }

  private async page(which: number): Promise<void> {
    const list = this.lists[which % Math.max(this.lists.length, 1)];
    if (!list) return;
    const { seq, after, ask } = list;
    const { selection, selects } = selections[ask.selection]!;
    const { within, form, bytes, limit } = ask;
    const answer: ReadAnswer = await this.shard.read({
      feed,
      at: seq,
      selection,
      form,
      bytes,
      ...(after === undefined ? {} : { after }),
      ...(within === undefined ? {} : { within }),
      ...(limit === undefined ? {} : { limit }),
    });
    if (answer.is === 'floor') {
      this.expectOld(seq);
      this.lists = this.lists.filter((one) => one !== list);
      return;
    }
    if (answer.is !== 'page') throw new Error(`answered ${answer.is}`);
    const expected = this.model.list(seq, within, selects);
    list.got.push(...itemsOf(answer));
    const all = expected.map((sample) => shown(sample, form));
    expect(list.got).toEqual(all.slice(0, list.got.length));
    if (ask.selection === 0) expect(answer.left).toBe(all.length - list.got.length);
    if (seq === this.model.seq) expect(answer.position).toBe(String(this.model.position));
    if (limit !== undefined) expect(answer.ends.length).toBeLessThanOrEqual(limit);
    list.after = answer.next;
    if (answer.next !== undefined) return;
    expect(list.got).toEqual(all);
    this.lists = this.lists.filter((one) => one !== list);
  }

  /** Returns whether the watch is up to date. */
  private async events(which: number): Promise<boolean> {
    const watch = this.watches[which % Math.max(this.watches.length, 1)];
    if (!watch) return true;
    const { ask, seq, skip, position } = watch;
    const { selection, selects } = selections[ask.selection]!;
    const { within, form, bytes } = ask;
    const isUpToDate = seq === this.model.seq && position === String(this.model.position);
    if (isUpToDate) {
      const all = this.model.eventsAfter(watch.from, within, selects, form).map(({ text }) => text);
      expect(watch.got).toEqual(all);
      return true;
    }
    const scope = within === undefined ? {} : { within };
    const answer: EventsAnswer = await this.shard.events({
      feed,
      after: seq,
      skip,
      position,
      selection,
      form,
      bytes,
      ...scope,
    });
    if (answer.is === 'floor') {
      this.expectOld(seq);
      this.watches = this.watches.filter((one) => one !== watch);
      return false;
    }
    if (answer.is !== 'events') throw new Error(`answered ${answer.is}`);
    const texts = itemsOf(answer).map((item, index) => `${answer.types[index]} ${item}`);
    watch.got.push(...texts);
    Object.assign(watch, { seq: answer.seq, skip: answer.skip, position: answer.position });
    const all = this.model.eventsAfter(watch.from, within, selects, form);
    expect(watch.got).toEqual(all.slice(0, watch.got.length).map(({ text }) => text));
    // Nobody resumes within a difference, and nothing up to the reported state is missing.
    if (answer.skip === 0)
      expect(watch.got).toEqual(all.filter((event) => event.seq <= answer.seq).map(({ text }) => text));
    else expect(answer.resumable).toBe(false);
    const known = await this.shard.seqOf({ feed, version: answer.position });
    if (known.is !== 'floor') expect(known).toEqual({ is: 'seq', seq: answer.seq });
    return false;
  }

  /** A state may be gone only behind more events, or more time, than are kept. */
  private expectOld(seq: number): void {
    const behind = this.model.events.filter((event) => event.seq > seq).length;
    expect(behind).toBeGreaterThan(keptEvents);
  }
}

/** A failure is not made smaller, which takes longer than a test may: its seed is printed. */
it('lists, pages of the past, watches, relists and compactions are those of a naive model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 120, size: 'max' }), async (steps) => {
      const comparison = await Comparison.open();
      await using _shard = comparison.shard;
      for (const step of steps) await comparison.run(step);
      await comparison.finish();
    }),
    { numRuns: 100, endOnFailure: true },
  );
});

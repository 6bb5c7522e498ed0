/** A model of a feed, as simple as possible, to compare with: every state is kept whole, every object is parsed. */

import type { ChangeType } from '../feed-writer.ts';
import type { ItemForm, Selection } from '../messages.ts';
import { cellsOf, inList, type Sample, sampleObject } from './sample-objects.ts';

export type Objects = ReadonlyMap<string, Sample>;

export interface ModelEvent {
  seq: number;
  type: ChangeType;
  before: Sample | undefined;
  after: Sample;
  isDifference: boolean;
}

const hasLabel = ({ labels }: Sample, value: string): boolean => labels?.['app'] === value;

/** Each selection with its predicate. */
export const selections: readonly { selection: Selection; selects: (sample: Sample) => boolean }[] = [
  { selection: {}, selects: () => true },
  { selection: { labelSelector: 'app=web' }, selects: (sample) => hasLabel(sample, 'web') },
  { selection: { labelSelector: 'app!=web' }, selects: (sample) => !hasLabel(sample, 'web') },
  { selection: { labelSelector: '!app' }, selects: ({ labels }) => labels?.['app'] === undefined },
  { selection: { fieldSelector: 'status.phase=Pending' }, selects: ({ phase }) => phase === 'Pending' },
  { selection: { fieldSelector: 'metadata.name=a' }, selects: ({ key }) => key.endsWith('/a') },
  {
    selection: { fieldSelector: 'status.podIP!=10.0.0.7', labelSelector: 'app in (web,db)' },
    selects: (sample) => sample.version % 256 !== 7 && (hasLabel(sample, 'web') || hasLabel(sample, 'db')),
  },
];

const bytesOrder = (a: string, b: string): number => Buffer.from(a).compare(Buffer.from(b));

export function shown(sample: Sample, form: ItemForm, version = sample.version): string {
  const object = sampleObject(sample).replace(
    `"resourceVersion":"${sample.version}"`,
    `"resourceVersion":"${version}"`,
  );
  const { metadata } = JSON.parse(object) as { metadata: object };
  const partial = JSON.stringify({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata });
  switch (form.as) {
    case 'object':
      return form.inList ? inList(object) : object;
    case 'PartialObjectMetadata':
      return partial;
    case 'Table': {
      const within = { None: 'null', Metadata: partial, Object: object }[form.includeObject];
      return `{"cells":${cellsOf(sample)},"object":${within}}`;
    }
    default:
      return form satisfies never;
  }
}

export class NaiveModel {
  seq: number;
  position: number;
  readonly states = new Map<number, Objects>();
  readonly positions = new Map<number, number>();
  readonly events: ModelEvent[] = [];

  constructor(seq: number, position: number, objects: readonly Sample[]) {
    this.seq = seq;
    this.position = position;
    this.keep(new Map(objects.map((sample) => [sample.key, sample])));
  }

  get objects(): Objects {
    return this.states.get(this.seq)!;
  }

  apply(type: 'put' | 'delete', sample: Sample): void {
    const before = this.objects.get(sample.key);
    this.position = sample.version;
    if (type === 'delete' && !before) return;
    const objects = new Map(this.objects);
    if (type === 'delete') objects.delete(sample.key);
    else objects.set(sample.key, sample);
    this.seq++;
    const isOther = before !== undefined && before.uid !== sample.uid && type === 'put';
    if (isOther) {
      this.events.push({ seq: this.seq, type: 'DELETED', before, after: before, isDifference: true });
      this.events.push({ seq: this.seq, type: 'ADDED', before: undefined, after: sample, isDifference: true });
    } else {
      const put = before ? 'MODIFIED' : 'ADDED';
      this.events.push({
        seq: this.seq,
        type: type === 'delete' ? 'DELETED' : put,
        before,
        after: sample,
        isDifference: false,
      });
    }
    this.keep(objects);
  }

  bookmark(position: number): void {
    this.position = position;
  }

  relist(samples: readonly Sample[], position: number): void {
    const before = this.objects;
    const objects = new Map(samples.map((sample) => [sample.key, sample]));
    const seq = this.seq + 1;
    const events: ModelEvent[] = [];
    const add = (type: ChangeType, old: Sample | undefined, after: Sample) =>
      events.push({ seq, type, before: old, after, isDifference: true });
    for (const key of [...new Set([...before.keys(), ...objects.keys()])].sort(bytesOrder)) {
      const [old, now] = [before.get(key), objects.get(key)];
      if (old && now && sampleObject(old) === sampleObject(now)) continue;
      const isOther = old && now && old.uid !== now.uid;
      if (old && (!now || isOther)) add('DELETED', old, old);
      if (now && (!old || isOther)) add('ADDED', undefined, now);
      if (old && now && !isOther) add('MODIFIED', old, now);
    }
    this.position = position;
    if (events.length === 0) return;
    this.events.push(...events);
    this.seq = seq;
    this.keep(objects);
  }

  /** In order, as a list shows them. */
  list(seq: number, within: string | undefined, selects: (sample: Sample) => boolean): Sample[] {
    const objects = [...this.states.get(seq)!.values()].sort((a, b) => bytesOrder(a.key, b.key));
    return objects.filter((sample) => isWithin(sample, within) && selects(sample));
  }

  /** The events that a watch is sent after a state. */
  eventsAfter(
    seq: number,
    within: string | undefined,
    selects: (sample: Sample) => boolean,
    form: ItemForm,
  ): { seq: number; text: string }[] {
    const sees = (sample: Sample | undefined) => sample !== undefined && isWithin(sample, within) && selects(sample);
    return this.events
      .filter((event) => event.seq > seq)
      .flatMap(({ seq: at, type, before, after }) => {
        const was = sees(before);
        if (type === 'DELETED') return was ? [{ seq: at, text: `DELETED ${shown(after, form)}` }] : [];
        if (sees(after)) return [{ seq: at, text: `${was ? 'MODIFIED' : 'ADDED'} ${shown(after, form)}` }];
        return was ? [{ seq: at, text: `DELETED ${shown(before!, form, after.version)}` }] : [];
      });
  }

  private keep(objects: Objects): void {
    this.states.set(this.seq, objects);
    this.positions.set(this.seq, this.position);
  }
}

const isWithin = ({ key }: Sample, within: string | undefined): boolean =>
  within === undefined || key.startsWith(`${within}/`);

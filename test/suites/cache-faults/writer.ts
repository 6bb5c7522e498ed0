/** Writes to one member past the product, and notes each deletion before it is sent. */

import type { Member } from '@fleet/bed/member.ts';
import type { Random } from '@fleet/differential/random.ts';
import type { Journal } from './journal.ts';
import { type Kind, kinds, namespace, within } from './kinds.ts';

export type WrittenMember = Pick<Member, 'name' | 'api'>;

/** Names that come and go; their labels never change, so that no object leaves a selection but by its deletion. */
const names = Array.from({ length: 12 }, (_, index) => `coming-${index}`);
const labelOf = (name: string): string => (Number(name.split('-')[1]) % 3 === 0 ? 'a' : 'b');
export const selected = 'part=a';

/** In milliseconds. A member that is killed or frozen does not answer. */
const patience = 5_000;

type Act = (kind: Kind, name: string) => Promise<boolean>;

export class Writer {
  readonly member: WrittenMember;
  private readonly journal: Journal;
  private readonly random: Random;
  private round = 0;

  constructor(member: WrittenMember, journal: Journal, random: Random) {
    this.member = member;
    this.journal = journal;
    this.random = random;
  }

  /** What is never deleted. */
  async begin(): Promise<void> {
    await this.member.api.object('/api/v1/namespaces', { method: 'POST', body: { metadata: { name: namespace } } });
    for (const kind of kinds) {
      for (let index = 0; index < 20; index++) await this.create(kind, `staying-${index}`);
    }
  }

  /** One write from the seed. False where there is no such object, or one already, or the member is unreachable. */
  async write(): Promise<boolean> {
    const acts: readonly (readonly [number, Act])[] = [
      [3, this.create],
      [3, this.change],
      [2, this.remove],
      [1, this.replace],
    ];
    const [act, kind, name] = [this.random.weighted(acts), this.random.pick(kinds), this.random.pick(names)];
    try {
      return await act(kind, name);
    } catch {
      // As the schedule of faults has it.
      return false;
    }
  }

  /** Of each kind: one object is made, one changed, one deleted, and one deleted and made again under its name. */
  async burst(): Promise<void> {
    const drawn = kinds.map((kind) => ({ kind, some: this.random.pick(arrangements), stays: this.random.below(20) }));
    const writing = drawn.map(async ({ kind, some: [made, deleted, replaced], stays }) => {
      await this.create(kind, made);
      await this.change(kind, `staying-${stays}`);
      await this.remove(kind, deleted);
      await this.replace(kind, replaced);
    });
    await Promise.all(writing);
  }

  /** Of each kind one object is changed. */
  async touch(): Promise<void> {
    await Promise.all(kinds.map((kind) => this.change(kind, 'staying-0')));
  }

  create: Act = (kind, name) => {
    const metadata = { name, labels: { part: labelOf(name) }, annotations: this.mark() };
    return this.send('POST', within(kind), { apiVersion: 'v1', kind: kind.kind, metadata, ...kind.content });
  };

  change: Act = (kind, name) =>
    this.send('PATCH', `${within(kind)}/${name}`, { metadata: { annotations: this.mark() } });

  /** By its uid: an object that was made meanwhile under that name is another. */
  remove: Act = async (kind, name) => {
    const path = `${within(kind)}/${name}`;
    const { code, body } = await this.member.api.ask(path, { timeout: patience });
    if (code !== 200) return false;
    const { uid } = (JSON.parse(body) as { metadata: { uid: string } }).metadata;
    this.journal.willDelete(uid);
    return this.send('DELETE', path, { preconditions: { uid } });
  };

  replace: Act = async (kind, name) => {
    await this.remove(kind, name);
    return this.create(kind, name);
  };

  private mark() {
    return { mark: `${this.member.name} ${++this.round}` };
  }

  private async send(method: string, path: string, body: object): Promise<boolean> {
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const { code } = await this.member.api.ask(path, { method, body, contentType, timeout: patience });
    if (code >= 300) return false;
    this.journal.writes++;
    return true;
  }
}

/** Three names that differ, for a burst. */
const arrangements = names.map((_, index) => [0, 1, 2].map((more) => names[(index + more) % names.length]!)) as [
  string,
  string,
  string,
][];

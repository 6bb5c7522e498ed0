/** Reads a member's audit log: which requests arrived, as whom, and impersonating whom. */
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type AuditEntry, entryOf, isOwnComponent } from './audit-entry.ts';

/** A place in the log. */
export interface Mark {
  readonly file: number;
  readonly offset: number;
}

export type EntryFilter = (entry: AuditEntry) => boolean;

export interface WitnessWait {
  filter?: EntryFilter;
  /** Milliseconds. */
  deadline?: number;
}

const others: EntryFilter = (entry) => !isOwnComponent(entry);

export class Witness {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Now: what is in the log so far is before it. */
  mark(): Mark {
    const { ino, size } = statSync(this.#path);
    return { file: ino, offset: size };
  }

  /** What has been written since; without the member's own components unless the filter includes them. */
  async since(mark: Mark, filter: EntryFilter = others): Promise<AuditEntry[]> {
    const entries: AuditEntry[] = [];
    for (const { path, from } of await this.#files(mark)) {
      for (const line of await completeLines(path, from)) entries.push(entryOf(JSON.parse(line)));
    }
    return entries.filter(filter);
  }

  /** Waits until as many entries fit; fails with what came instead. */
  async until(
    mark: Mark,
    predicate: EntryFilter,
    count = 1,
    { filter = others, deadline = 10_000 }: WitnessWait = {},
  ): Promise<AuditEntry[]> {
    const late = Date.now() + deadline;
    for (;;) {
      const read = this.mark(); // taken before reading, so that no line falls in between
      const seen = await this.since(mark, filter);
      const fitting = seen.filter(predicate);
      if (fitting.length >= count) return fitting;
      if (!(await this.#grown(read, late))) {
        const came = seen.map((entry) => `${entry.user} ${entry.verb} ${entry.requestURI} ${entry.code}`);
        const all = ['', ...came].join('\n  ');
        throw new Error(
          `${fitting.length} of ${count} entries in ${this.#path} within ${deadline} ms; there came:${all}`,
        );
      }
    }
  }

  /**
   * All that has come since, and nothing is missing: `send` asks the member for `/version?marker=…` itself, and lines
   * are written in the order in which requests end, so what ended before that question stands before its line.
   * This is the way to show that no request came.
   */
  async all(mark: Mark, send: (path: string) => Promise<unknown>, wait: WitnessWait = {}): Promise<AuditEntry[]> {
    const marker = `/version?marker=${randomUUID()}`;
    await send(marker);
    const isMarker: EntryFilter = (entry) => entry.requestURI.endsWith(marker);
    await this.until(mark, isMarker, 1, { ...wait, filter: () => true });
    const entries = await this.since(mark, () => true);
    return entries.slice(0, entries.findIndex(isMarker)).filter(wait.filter ?? others);
  }

  /**
   * Whether there is more than was read, before it is late. Asked of the file itself: a machine has few inotify
   * instances (128), and many members use them up.
   */
  async #grown(read: Mark, late: number): Promise<boolean> {
    for (; Date.now() < late; await pause(10)) {
      const now = this.mark();
      if (now.file !== read.file || now.offset !== read.offset) return true;
    }
    return false;
  }

  /** The marked file from the mark on, and those after it: a full log is renamed to `audit-<time>.log`. */
  async #files(mark: Mark): Promise<{ path: string; from: number }[]> {
    const folder = dirname(this.#path);
    const extension = extname(this.#path);
    const stem = basename(this.#path, extension);
    const rotated = (await readdir(folder)).filter((name) => name.startsWith(`${stem}-`) && name.endsWith(extension));
    const paths = [...rotated.sort().map((name) => join(folder, name)), this.#path];
    const files = await Promise.all(paths.map(async (path) => ({ path, stats: await stat(path) })));
    const marked = files.findIndex(({ stats }) => stats.ino === mark.file);
    if (marked < 0) throw new Error(`the log ${this.#path} was rotated away since the mark`);
    return files.slice(marked).map(({ path, stats }, at) => {
      // shorter than at the mark: truncated, so all of it is new
      const from = at === 0 && stats.size >= mark.offset ? mark.offset : 0;
      return { path, from };
    });
  }
}

export async function openWitness(path: string): Promise<Witness> {
  await stat(path);
  return new Witness(path);
}

/** Lines that begin after `from`; a line being written is left for later. */
async function completeLines(path: string, from: number): Promise<string[]> {
  await using file = await open(path);
  const start = Math.max(0, from - 1);
  const { size } = await file.stat();
  const bytes = Buffer.alloc(size - start);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
  const text = bytes.subarray(0, bytesRead);
  // a mark in the middle of a line: the line belongs to what was before
  const first = from === 0 ? 0 : text.indexOf(0x0a) + 1;
  const last = text.lastIndexOf(0x0a);
  if (last < first || (from > 0 && first === 0)) return [];
  return text.toString('utf8', first, last).split('\n').filter(Boolean);
}

/** What a script finds and changes while it is followed. */

import type { Files } from '../shell/files.ts';
import { WrittenFiles } from '../shell/written-files.ts';

/** What a script finds when it starts. */
export interface ScriptWorld {
  lookup(name: string): string | undefined;
  /** Paths of files that were made. The script adds its own. */
  readonly files: { has(path: string): boolean; add(path: string): unknown; delete(path: string): unknown };
  readonly directory: string;
  /** What the container has from the start. Few scripts look at it. */
  readonly base: () => Files;
  /** There may be such a file though it is not in `base`: reading or removing it succeeds. */
  mayHold(path: string): boolean;
  /** How many containers of a pod share what scripts may use, as all are followed at once; one if left out. */
  readonly sharers?: number;
}

/** A file that a script makes or removes while it runs, as probes look for it. */
export interface FileChange {
  readonly path: string;
  readonly exists: boolean;
  readonly seconds: number;
}

/** More are not looked at: each probe goes through them. */
export const mostChanges = 100;
/** As of the shell: what is beyond is not run. */
const mostCommands = 10_000;
/** In characters, of all values, outputs and files that a script uses. Beyond it is not followed: this must not take long. */
const mostText = 1024 * 1024;
const pathCost = 64;
/** Of a container of a pod that has very many. */
const [leastCommands, leastText] = [20, 4096];

/** The script depends on what is not known, as on the output of a program. */
export class NotFollowed extends Error {}

/** Of a script with all shells that it starts. */
export class ScriptProgress {
  readonly world: ScriptWorld;
  readonly files: WrittenFiles;
  readonly changes: FileChange[] = [];
  seconds = 0;
  isEndless = false;
  /** What is quick does not delay what comes after it: probes are not so exact. */
  slept = 0;
  #commands: number;
  #left: number;

  constructor(world: ScriptWorld) {
    this.world = world;
    const { sharers = 1 } = world;
    this.#commands = Math.max(mostCommands / sharers, leastCommands);
    this.#left = Math.max(mostText / sharers, leastText);
    let known: Files | undefined;
    const base = (): Files => {
      known ??= world.base();
      return known;
    };
    const files: Files = {
      // What is in files of earlier scripts is not known.
      read: (path) => base().read(path) ?? (world.files.has(path) ? '\n' : undefined),
      size: (path) => base().size(path) ?? (world.files.has(path) ? 1 : undefined),
      entries: (path) => base().entries(path),
      isDirectory: (path) => base().isDirectory(path),
    };
    const changed = (path: string, exists: boolean): void => this.#changed(path, exists);
    const spend = (amount: number): void => this.spend(amount);
    this.files = new WrittenFiles(files, { changed, mayHold: (path) => world.mayHold(path), spend });
  }

  #changed(path: string, exists: boolean): void {
    if (exists) this.world.files.add(path);
    else this.world.files.delete(path);
    if (this.changes.length < mostChanges) this.changes.push({ path, exists, seconds: this.slept });
  }

  /** False if there have been too many. */
  countCommand(): boolean {
    this.#commands -= 1;
    return this.#commands >= 0;
  }

  expand(text: string): string {
    this.spend(text.length);
    return text;
  }

  /** A path that is looked at, as if it were so much text. */
  lookAt(directory: string): void {
    this.spend(pathCost + directory.length);
  }

  spend(amount: number): void {
    this.#left -= amount;
    if (this.#left < 0) throw new NotFollowed();
  }
}

/** The environment in which a script is evaluated, and its changes. */

import type { Files } from '../shell/files.ts';
import { WrittenFiles } from '../shell/written-files.ts';

/** The environment of a script at its start. */
export interface ScriptWorld {
  lookup(name: string): string | undefined;
  /** Paths of created files. The script adds its own. */
  readonly files: { has(path: string): boolean; add(path: string): unknown; delete(path: string): unknown };
  readonly directory: string;
  /** The container's initial files. Few scripts access them. */
  readonly base: () => Files;
  /** Such a file may exist though it is not in `base`: reading or removing it succeeds. */
  couldHold(path: string): boolean;
  /** How many containers of a pod share the budget, as all are evaluated at once; one by default. */
  readonly sharers?: number;
}

/** A file that a script creates or removes while it runs, for probes. */
export interface FileChange {
  readonly path: string;
  readonly exists: boolean;
  readonly seconds: number;
}

/** Further changes are ignored: each probe goes through all of them. */
export const mostChanges = 100;
/** The shell's limit: later commands are not run. */
const mostCommands = 10_000;
/** In characters, for all values, outputs and files of a script, which is not followed beyond it, as that would take long. */
const mostText = 1024 * 1024;
const pathCost = 64;
/** The least for a container of a pod with very many containers. */
const [leastCommands, leastText] = [20, 4096];

/** The script depends on something unknown, such as the output of a program. */
export class NotFollowed extends Error {}

/** The budget of a script, with all shells that it starts. */
export class ScriptProgress {
  readonly world: ScriptWorld;
  readonly files: WrittenFiles;
  readonly changes: FileChange[] = [];
  seconds = 0;
  isEndless = false;
  /** Fast commands do not delay later ones: probes are not that precise. */
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
      // The content of files that earlier scripts created is unknown.
      read: (path) => base().read(path) ?? (world.files.has(path) ? '\n' : undefined),
      size: (path) => base().size(path) ?? (world.files.has(path) ? 1 : undefined),
      entries: (path) => base().entries(path),
      isDirectory: (path) => base().isDirectory(path),
    };
    const changed = (path: string, exists: boolean): void => this.#changed(path, exists);
    const spend = (amount: number): void => this.spend(amount);
    this.files = new WrittenFiles(files, { changed, couldHold: (path) => world.couldHold(path), spend });
  }

  #changed(path: string, exists: boolean): void {
    if (exists) this.world.files.add(path);
    else this.world.files.delete(path);
    if (this.changes.length < mostChanges) this.changes.push({ path, exists, seconds: this.slept });
  }

  /** False if the limit is reached. */
  countCommand(): boolean {
    this.#commands -= 1;
    return this.#commands >= 0;
  }

  expand(text: string): string {
    this.spend(text.length);
    return text;
  }

  /** Charges for a path lookup as for so much text. */
  lookAt(directory: string): void {
    this.spend(pathCost + directory.length);
  }

  spend(amount: number): void {
    this.#left -= amount;
    if (this.#left < 0) throw new NotFollowed();
  }
}

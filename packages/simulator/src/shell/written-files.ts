/** Files that commands write, layered over the container's initial files. They are held in memory, with limits. */

import type { Files } from './files.ts';
import { longestPath } from './path-tree.ts';

/** Files and directories together, including removed ones. */
const mostPaths = 200;
/** In bytes, for all paths and contents. */
const mostBytes = 256 * 1024;

/** The system's error texts. */
export const fileFaults = {
  full: 'No space left on device',
  missing: 'No such file or directory',
  isDirectory: 'Is a directory',
  notDirectory: 'Not a directory',
  exists: 'File exists',
  tooLong: 'File name too long',
  busy: 'Device or resource busy',
} as const;

export type FileFault = (typeof fileFaults)[keyof typeof fileFaults];

interface WrittenFile {
  /** With spare capacity, so that appending byte by byte is linear. */
  bytes: Buffer;
  size: number;
  /** Decoded on first read. */
  text: string | undefined;
}

const removed = 'removed';
const directory = 'directory';

export interface FileRules {
  /** Called for each file that is created or removed. */
  changed?(path: string, exists: boolean): void;
  /** Whether an unknown file may exist: reading or removing it succeeds. */
  couldHold?(path: string): boolean;
  /** Called with the number of bytes that are written, or of names that are read. */
  spend?(amount: number): void;
}

export class WrittenFiles implements Files {
  readonly #base: Files;
  readonly #rules: FileRules;
  readonly #paths = new Map<string, WrittenFile | typeof removed | typeof directory>();
  #bytes = 0;

  constructor(base: Files, rules: FileRules = {}) {
    this.#base = base;
    this.#rules = rules;
  }

  couldHold(path: string): boolean {
    return this.#paths.get(path) === undefined && (this.#rules.couldHold?.(path) ?? false);
  }

  read(path: string): string | undefined {
    const own = this.#paths.get(path);
    if (own === undefined) return this.#base.read(path);
    if (typeof own === 'string') return undefined;
    own.text ??= own.bytes.toString('utf8', 0, own.size);
    return own.text;
  }

  size(path: string): number | undefined {
    const own = this.#paths.get(path);
    if (own === undefined) return this.#base.size(path);
    return typeof own === 'string' ? undefined : own.size;
  }

  entries(path: string): readonly string[] | undefined {
    const own = this.#paths.get(path);
    const before = own === undefined ? this.#base.entries(path) : undefined;
    if (before === undefined && own !== directory) return undefined;
    const names = new Set(before);
    this.#rules.spend?.(names.size + this.#paths.size);
    for (const [other, is] of this.#paths) {
      if (parentOf(other) !== path) continue;
      if (is === removed) names.delete(nameOf(other));
      else names.add(nameOf(other));
    }
    return [...names].sort();
  }

  isDirectory(path: string): boolean {
    const own = this.#paths.get(path);
    return own === undefined ? this.#base.isDirectory(path) : own === directory;
  }

  /** Creates the file if there is none. */
  touch(path: string): FileFault | undefined {
    if (this.isDirectory(path) || this.size(path) !== undefined) return undefined;
    return this.write(path, '', true);
  }

  /** `/dev/null` accepts everything and stores nothing. */
  write(path: string, content: string | Uint8Array, isAppended: boolean): FileFault | undefined {
    if (path === '/dev/null') return undefined;
    if (this.isDirectory(path)) return fileFaults.isDirectory;
    const isNew = this.size(path) === undefined;
    const own = this.#paths.get(path);
    const file = typeof own === 'object' ? own : this.#newFile(path, isAppended);
    if (typeof file === 'string') return file;
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    this.#rules.spend?.(bytes.length);
    const kept = isAppended ? file.size : 0;
    const more = kept + bytes.length - file.size;
    if (this.#bytes + more > mostBytes) return fileFaults.full;
    this.#bytes += more;
    if (kept === 0 || kept + bytes.length > file.bytes.length) file.bytes = grown(file.bytes, kept, bytes.length);
    file.bytes.set(bytes, kept);
    file.size = kept + bytes.length;
    file.text = undefined;
    if (isNew) this.#rules.changed?.(path, true);
    return undefined;
  }

  makeDirectory(path: string): FileFault | undefined {
    if (this.isDirectory(path) || this.size(path) !== undefined) return fileFaults.exists;
    return this.#add(path, directory);
  }

  /** Removes a directory with its content. */
  remove(path: string): FileFault | undefined {
    if (path === '/' || path === '/dev/null') return fileFaults.busy;
    const entries = this.entries(path);
    if (!entries && this.size(path) === undefined) return fileFaults.missing;
    for (const name of entries ?? []) {
      const fault = this.remove(`${path}/${name}`);
      if (fault) return fault;
    }
    const fault = this.#place(path, removed);
    if (!fault && !entries) this.#rules.changed?.(path, false);
    return fault;
  }

  #newFile(path: string, isAppended: boolean): WrittenFile | FileFault {
    const before = isAppended ? Buffer.from(this.read(path) ?? '') : Buffer.alloc(0);
    if (this.#bytes + path.length + before.length > mostBytes) return fileFaults.full;
    const file: WrittenFile = { bytes: before, size: before.length, text: undefined };
    const fault = this.#add(path, file);
    if (fault) return fault;
    this.#bytes += file.size;
    return file;
  }

  /** Adds its parent directories, too: which ones an image has is unknown. */
  #add(path: string, is: WrittenFile | typeof directory): FileFault | undefined {
    if (path.length > longestPath) return fileFaults.tooLong;
    const above: string[] = [];
    for (let at = parentOf(path); !this.isDirectory(at); at = parentOf(at)) {
      if (this.size(at) !== undefined) return fileFaults.notDirectory;
      above.push(at);
      if (this.#paths.size + above.length >= mostPaths) return fileFaults.full;
    }
    for (const parent of above.reverse()) {
      const fault = this.#place(parent, directory);
      if (fault) return fault;
    }
    return this.#place(path, is);
  }

  #place(path: string, is: WrittenFile | typeof directory | typeof removed): FileFault | undefined {
    const before = this.#paths.get(path);
    if (before === undefined) {
      if (this.#paths.size >= mostPaths || this.#bytes + path.length > mostBytes) return fileFaults.full;
      this.#bytes += path.length;
    }
    if (typeof before === 'object') this.#bytes -= before.size;
    this.#paths.set(path, is);
    return undefined;
  }
}

function grown(bytes: Buffer, kept: number, more: number): Buffer {
  const larger = Buffer.alloc(Math.max(kept + more, 2 * kept));
  bytes.copy(larger, 0, 0, kept);
  return larger;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';

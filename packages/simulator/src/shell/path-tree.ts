/** A tree of directory names: a path costs as much as its text, however many directories it has. */

/** In characters, as on Linux. */
export const longestPath = 4096;
/** For all paths together. Paths beyond it are dropped, as the author of a pod chooses its mounts. */
const mostNames = 4096;

interface Directory<T> {
  readonly children: Map<string, Directory<T>>;
  /** The sorted names of its children, computed on first access. */
  sorted: readonly string[] | undefined;
  value: T | undefined;
}

const newDirectory = <T>(): Directory<T> => ({ children: new Map(), sorted: undefined, value: undefined });

/** Paths are absolute, without `.` and `..`. */
export class PathTree<T> {
  readonly #root = newDirectory<T>();
  #left = mostNames;

  add(path: string, value?: T): void {
    if (path.length > longestPath) return;
    let directory = this.#root;
    for (const name of namesOf(path)) {
      let child = directory.children.get(name);
      if (!child) {
        if (this.#left === 0) return;
        this.#left -= 1;
        child = newDirectory();
        directory.children.set(name, child);
        directory.sorted = undefined;
      }
      directory = child;
    }
    directory.value ??= value;
  }

  /** The sorted names in a directory; undefined if it is not a directory. */
  entries(path: string): readonly string[] | undefined {
    const directory = this.#find(path);
    if (directory) directory.sorted ??= [...directory.children.keys()].sort();
    return directory?.sorted;
  }

  has(path: string): boolean {
    return this.#find(path) !== undefined;
  }

  /** The value of the nearest ancestor that has one. */
  above(path: string): T | undefined {
    let directory: Directory<T> | undefined = this.#root;
    let nearest: T | undefined;
    for (const name of namesOf(path)) {
      nearest = directory.value ?? nearest;
      directory = directory.children.get(name);
      if (!directory) break;
    }
    return nearest;
  }

  #find(path: string): Directory<T> | undefined {
    let directory: Directory<T> | undefined = this.#root;
    for (const name of namesOf(path)) {
      directory = directory.children.get(name);
      if (!directory) return undefined;
    }
    return directory;
  }
}

/** Lazy, as most lookups end early. */
function* namesOf(path: string): Generator<string> {
  for (let at = 1; at < path.length; ) {
    const end = path.indexOf('/', at);
    yield end < 0 ? path.slice(at) : path.slice(at, end);
    at = end < 0 ? path.length : end + 1;
  }
}

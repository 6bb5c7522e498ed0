/** The memory that the answers of one server may take: one object of them, and all that are held at once (SEC-2). */

/** As much as one object may take; kube-apiserver itself takes requests of 3 MiB. */
export const defaultObjectLimit = 16 * 1024 * 1024;

/** What each answer may hold without being counted: objects in etcd are no larger than 1.5 MiB. */
export const uncounted = 2 * 1024 * 1024;

/** How many objects of the largest size all answers of a server may hold together, beside what is not counted. */
const largestAtOnce = 4;

export class AnswerMemory {
  readonly objectLimit: number;
  /** Bytes that are not in use. */
  left: number;

  constructor(objectLimit = defaultObjectLimit, shared = largestAtOnce * objectLimit) {
    this.objectLimit = objectLimit;
    this.left = shared;
  }
}

/** Of a server that is trusted: only single objects are limited. */
export const unshared = new AnswerMemory(defaultObjectLimit, Number.POSITIVE_INFINITY);

/** What one answer has drawn. */
export class MemoryLease {
  private readonly memory: AnswerMemory;
  private drawn = 0;

  constructor(memory: AnswerMemory) {
    this.memory = memory;
  }

  /** False where the server's answers hold too much already. */
  draw(bytes: number): boolean {
    if (bytes > this.memory.left) return false;
    this.memory.left -= bytes;
    this.drawn += bytes;
    return true;
  }

  /** Harmless when repeated. */
  release(): void {
    this.memory.left += this.drawn;
    this.drawn = 0;
  }
}

/** What the suite has done to members directly: events of watchers are compared with it. */

export class Journal {
  /** Writes that were carried out. */
  writes = 0;
  private readonly deletions = new Set<string>();

  /** Before it is sent: a watcher may hear of it before whoever sent it has the answer. */
  willDelete(uid: string): void {
    this.deletions.add(uid);
  }

  isDeleted(uid: string): boolean {
    return this.deletions.has(uid);
  }

  get deleted(): number {
    return this.deletions.size;
  }
}

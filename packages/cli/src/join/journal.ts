/** What one run has made, so that it can be taken back, last thing first. */

interface Entry {
  what: string;
  undo: () => Promise<void>;
}

export class Journal {
  private readonly entries: Entry[] = [];

  get empty(): boolean {
    return this.entries.length === 0;
  }

  made(what: string, undo: () => Promise<void>): void {
    this.entries.push({ what, undo });
  }

  /** Goes on past what cannot be undone, and returns it. */
  async undo(): Promise<{ what: string; error: unknown }[]> {
    const left: { what: string; error: unknown }[] = [];
    for (const { what, undo } of this.entries.splice(0).reverse()) {
      await undo().catch((error: unknown) => left.push({ what, error }));
    }
    return left;
  }
}

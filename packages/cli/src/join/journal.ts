/** Records what a run creates, so that it can be undone: in reverse order, in the member and in the control plane at once. */

type Undo = (signal: AbortSignal) => Promise<void>;

interface Entry {
  /** What it was made through: a side that does not answer holds up the other no more. */
  side: object;
  what: string;
  undo: Undo;
}

export class Journal {
  private readonly entries: Entry[] = [];

  get empty(): boolean {
    return this.entries.length === 0;
  }

  made(side: object, what: string, undo: Undo): void {
    this.entries.push({ side, what, undo });
  }

  /** Goes on past what cannot be undone, and returns it. */
  async undo(signal: AbortSignal): Promise<{ what: string; error: unknown }[]> {
    const left: { what: string; error: unknown }[] = [];
    const sides = Map.groupBy(this.entries.splice(0).reverse(), ({ side }) => side);
    const undoSide = async (entries: readonly Entry[]) => {
      for (const { what, undo } of entries) {
        await undo(signal).catch((error: unknown) => left.push({ what, error }));
      }
    };
    await Promise.all([...sides.values()].map(undoSide));
    return left;
  }
}

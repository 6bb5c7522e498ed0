/** Versions of lists that were answered, for later requests to ask for. */

const kept = 12;

export class SeenVersions {
  private readonly byCollection = new Map<string, string[]>();

  of(collection: string): readonly string[] {
    return this.byCollection.get(collection) ?? [];
  }

  add(collection: string, version: string): void {
    const seen = this.byCollection.get(collection) ?? [];
    seen.push(version);
    if (seen.length > kept) seen.shift();
    this.byCollection.set(collection, seen);
  }
}

/** OpenAPI documents that were read or merged, up to so many bytes; what was used longest ago goes first. */

export interface StoredDocument {
  bytes: Buffer;
  /** Ours, of the bytes. */
  digest: string;
}

/** In bytes: what a document takes beside its own. A place may change one of a few bytes as often as it is asked for. */
const overhead = 1024;

const sizeOf = ({ bytes }: StoredDocument): number => bytes.length + overhead;

export class DocumentStore {
  private readonly documents = new Map<string, StoredDocument>();
  private readonly limit: number;
  private held = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  get size(): number {
    return this.held;
  }

  has(key: string): boolean {
    return this.documents.has(key);
  }

  get(key: string): StoredDocument | undefined {
    const found = this.documents.get(key);
    if (!found) return undefined;
    // A Map goes in order of insertion: put last again.
    this.documents.delete(key);
    this.documents.set(key, found);
    return found;
  }

  put(key: string, document: StoredDocument): void {
    this.drop(key);
    // One that would drive out all others is not worth it.
    if (document.bytes.length > this.limit / 2) return;
    this.documents.set(key, document);
    this.held += sizeOf(document);
    for (const oldest of this.documents.keys()) {
      if (this.held <= this.limit) return;
      this.drop(oldest);
    }
  }

  private drop(key: string): void {
    const known = this.documents.get(key);
    if (known) this.held -= sizeOf(known);
    this.documents.delete(key);
  }
}

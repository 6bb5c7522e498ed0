/** An LRU store of OpenAPI documents that were read or merged, limited in bytes. */

export interface StoredDocument {
  bytes: Buffer;
  /** The product's own hash of the bytes. */
  digest: string;
}

/** In bytes: overhead per document. A place may change a document of a few bytes as often as it is read. */
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
    // A Map iterates in order of insertion: inserted again, it is the last.
    this.documents.delete(key);
    this.documents.set(key, found);
    return found;
  }

  put(key: string, document: StoredDocument): void {
    this.drop(key);
    // A document that would push out all others is not stored.
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

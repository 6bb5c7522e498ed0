/** A serialisation of OpenAPI documents, as far as merging needs to know it. */

/** An entry has a name within a section, such as a path or a schema. `end`: the offset at which a section ends. */
export type Part =
  | { is: 'entry'; section: string; name: string; start: number; end: number }
  | { is: 'end'; section: string; at: number; empty: boolean };

export interface DocumentForm {
  name: 'json' | 'protobuf';
  /** Media types that clients request. The first is the content type of answers. */
  mediaTypes: readonly [string, ...string[]];
  /** A generator, so that the caller can yield to the event loop. */
  parts(document: Buffer): Iterable<Part>;
  /** Adds entries. The document's own bytes are not changed. */
  withMore(document: Buffer, parts: readonly Part[], more: ReadonlyMap<string, readonly Buffer[]>): Buffer;
}

export interface OpenApiVersion {
  version: 'v2' | 'v3';
  forms: readonly [DocumentForm, ...DocumentForm[]];
}

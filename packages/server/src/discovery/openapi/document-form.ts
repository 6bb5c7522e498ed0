/** A form in which OpenAPI documents are written, as far as merging needs to know it. */

/** Entries have a name within a section: a path, a schema. `end`: where a section of this document ends. */
export type Part =
  | { is: 'entry'; section: string; name: string; start: number; end: number }
  | { is: 'end'; section: string; at: number; empty: boolean };

export interface DocumentForm {
  name: 'json' | 'protobuf';
  /** As clients ask for it: the first is how answers are marked. */
  mediaTypes: readonly [string, ...string[]];
  /** Walked one by one, so that whoever walks can pause. */
  parts(document: Buffer): Iterable<Part>;
  /** The document with more entries; its own bytes stay as they are. */
  withMore(document: Buffer, parts: readonly Part[], more: ReadonlyMap<string, readonly Buffer[]>): Buffer;
}

export interface OpenApiVersion {
  version: 'v2' | 'v3';
  forms: readonly [DocumentForm, ...DocumentForm[]];
}

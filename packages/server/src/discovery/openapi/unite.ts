/** Merges OpenAPI documents: the first is kept unchanged, the others add entries that it lacks (DISC-2). */

import { Pace } from '@fleet/client/pace.ts';
import type { DocumentForm, Part } from './document-form.ts';

export interface Source {
  name: string;
  bytes: Buffer;
}

/**
 * In order of precedence: of entries with the same name, the first document's counts. Each document has all the schemas that it refers
 * to, so the union has them, too. Besides the first, only one document is in memory at a time.
 */
export async function uniteDocuments(
  form: DocumentForm,
  documents: AsyncIterable<Source>,
  onBroken: (name: string, error: unknown) => void,
): Promise<Buffer | undefined> {
  const pace = new Pace();
  const known = new Set<string>();
  const more = new Map<string, Buffer[]>();
  let first: { bytes: Buffer; parts: readonly Part[] } | undefined;
  for await (const { name, bytes } of documents) {
    let parts: Part[];
    try {
      parts = await partsOf(form, bytes, pace);
    } catch (error) {
      onBroken(name, error);
      continue;
    }
    for (const part of parts) {
      if (pace.isDue) await pace.rest();
      if (part.is === 'end') continue;
      const id = `${part.section} ${part.name}`;
      if (known.has(id)) continue;
      known.add(id);
      if (!first) continue;
      // Copied, so that a few entries do not keep a document of megabytes in memory.
      const entry = Buffer.from(bytes.subarray(part.start, part.end));
      const others = more.get(part.section);
      if (others) others.push(entry);
      else more.set(part.section, [entry]);
    }
    first ??= { bytes, parts };
  }
  if (!first) return undefined;
  return more.size === 0 ? first.bytes : form.withMore(first.bytes, first.parts, more);
}

async function partsOf(form: DocumentForm, bytes: Buffer, pace: Pace): Promise<Part[]> {
  const parts: Part[] = [];
  for (const part of form.parts(bytes)) {
    parts.push(part);
    if (pace.isDue) await pace.rest();
  }
  return parts;
}

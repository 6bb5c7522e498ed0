/** The index at `/openapi/v3`: one document per group and version, each with a hash of its content. */

import { createHash } from 'node:crypto';

/** `apis/apps/v1` -> hash. */
export type OpenApiIndex = ReadonlyMap<string, string>;

interface IndexDocument {
  paths: Record<string, { serverRelativeURL: string }>;
}

/** Limits the index: each group has an entry for every version. */
const mostPaths = 5_000;

export function parseIndex(bytes: Buffer): OpenApiIndex {
  const entries = Object.entries((JSON.parse(bytes.toString()) as IndexDocument).paths);
  if (entries.length > mostPaths) throw new Error(`an index of ${entries.length} OpenAPI documents`);
  // Computed once, and only if needed: the time grows with the index.
  let ofAll: string | undefined;
  return new Map(
    entries.map(([path, { serverRelativeURL }]) => {
      const hash = new URL(serverRelativeURL, 'https://any').searchParams.get('hash');
      if (hash !== null) return [path, hash];
      // An entry without a hash changes whenever the index does.
      ofAll ??= digest(bytes);
      return [path, ofAll];
    }),
  );
}

/** Keys in order, as kube-apiserver writes them. */
export function indexDocument(index: OpenApiIndex): IndexDocument {
  const paths = [...index.keys()].sort();
  return {
    paths: Object.fromEntries(
      paths.map((path) => [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${index.get(path)}` }]),
    ),
  };
}

export const digest = (bytes: Buffer | string): string =>
  createHash('sha512').update(bytes).digest('hex').toUpperCase();

/** The same without blocking the event loop, for documents of megabytes. */
export const digestOf = async (bytes: Buffer): Promise<string> =>
  Buffer.from(await crypto.subtle.digest('SHA-512', bytes as Uint8Array<ArrayBuffer>))
    .toString('hex')
    .toUpperCase();

/** The hash of a merged document. With a single source it is the source's, so that nothing changes where nothing is merged. */
export const hashOf = (hashes: readonly string[]): string => (hashes.length === 1 ? hashes[0]! : digest(hashes.join()));

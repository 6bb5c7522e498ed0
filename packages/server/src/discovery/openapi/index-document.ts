/** The index at `/openapi/v3`: one document per group and version, each with a hash of what is in it. */

import { createHash } from 'node:crypto';

/** `apis/apps/v1` -> hash. */
export type OpenApiIndex = ReadonlyMap<string, string>;

interface IndexDocument {
  paths: Record<string, { serverRelativeURL: string }>;
}

export function parseIndex(bytes: Buffer): OpenApiIndex {
  const { paths } = JSON.parse(bytes.toString()) as IndexDocument;
  return new Map(
    Object.entries(paths).map(([path, { serverRelativeURL }]) => {
      const hash = new URL(serverRelativeURL, 'https://any').searchParams.get('hash');
      // Without one, nothing but the whole index tells that it has changed.
      return [path, hash ?? digest(bytes)];
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

/** The same beside the event loop, for documents of megabytes. */
export const digestOf = async (bytes: Buffer): Promise<string> =>
  Buffer.from(await crypto.subtle.digest('SHA-512', bytes as Uint8Array<ArrayBuffer>))
    .toString('hex')
    .toUpperCase();

/** The hash of a document made of others: their own if they are one, so that nothing changes where nothing is merged. */
export const hashOf = (hashes: readonly string[]): string => (hashes.length === 1 ? hashes[0]! : digest(hashes.join()));

/** Fetches one OpenAPI document of one place. */

import type { Upstream } from '@fleet/client/upstream.ts';
import type { DocumentForm } from './document-form.ts';
import { digestOf } from './index-document.ts';
import type { PlaceDocument } from './place-documents.ts';

/** In milliseconds: for some megabytes, which the place may first have to assemble. */
const deadline = 10_000;

/** `known`: the stored document, which is returned if the place reports that it has not changed. */
export async function fetchDocument(
  upstream: Upstream,
  path: string,
  { mediaTypes }: DocumentForm,
  known?: PlaceDocument,
): Promise<PlaceDocument> {
  const reply = await upstream.call({
    method: 'GET',
    path,
    headers: {
      // The last media type is the one that all servers so far accept.
      accept: mediaTypes.at(-1),
      'user-agent': 'fleet',
      ...(known ? { 'if-none-match': `"${known.claimed}"` } : {}),
    },
    signal: AbortSignal.timeout(deadline),
  });
  // All schemas of a cluster in one document: larger than any object.
  const bytes = await reply.body.bytes(4 * reply.body.memory.objectLimit);
  if (reply.status === 304 && known) return known;
  if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}`);
  const type = [reply.headers['content-type'] ?? []].flat()[0]?.split(';')[0]?.trim();
  if (!type || !mediaTypes.includes(type)) throw new Error(`${path} came as ${type}`);
  const etag = [reply.headers['etag'] ?? []].flat()[0];
  const digest = await digestOf(bytes);
  return { document: { bytes, digest }, claimed: etag?.replaceAll('"', '') ?? digest };
}

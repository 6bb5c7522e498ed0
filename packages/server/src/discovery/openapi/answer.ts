/** Answers `/openapi/v2`, `/openapi/v3` and the documents below it as kube-apiserver's handlers do (kube-openapi). */

import type { Headers } from '@fleet/client/upstream.ts';
import { parseAccept } from '@fleet/kube/negotiate.ts';
import { noSuchResource, notAcceptable } from '@fleet/kube/status.ts';
import type { PlainReply } from '../../http/message.ts';
import type { MergedView } from '../discovery.ts';
import type { DocumentForm, OpenApiVersion } from './document-form.ts';
import { digest, indexDocument } from './index-document.ts';
import type { OpenApi } from './openapi.ts';
import { openApiV2, openApiV3 } from './versions.ts';

export interface OpenApiRequest {
  view: MergedView;
  path: string;
  /** The query, without `?`. */
  query: string;
  headers: Headers;
}

/** Undefined: not an OpenAPI path. */
export async function answerOpenApi(openapi: OpenApi, request: OpenApiRequest): Promise<PlainReply | undefined> {
  const { view, path, headers } = request;
  if (path === '/openapi/v2') {
    const form = formFor(openApiV2, headers);
    const { bytes, etag } = await openapi.v2(view, form);
    return tagged(bytes, etag, headers, { 'content-type': form.mediaTypes[0], vary: 'Accept' });
  }
  if (path === '/openapi/v3') {
    const bytes = Buffer.from(JSON.stringify(indexDocument(await openapi.index(view))));
    return tagged(bytes, digest(bytes), headers, { 'content-type': 'application/json' });
  }
  const groupVersion = /^\/openapi\/v3\/(.+)$/.exec(path)?.[1];
  return groupVersion === undefined ? undefined : answerGroupVersion(openapi, groupVersion, request);
}

async function answerGroupVersion(
  openapi: OpenApi,
  groupVersion: string,
  { view, query, headers }: OpenApiRequest,
): Promise<PlainReply> {
  const expected = (await openapi.index(view)).get(groupVersion);
  if (expected === undefined) throw noSuchResource();
  const form = formFor(openApiV3, headers);
  const kind = { 'content-type': form.mediaTypes[0], vary: 'Accept' };
  const hash = new URLSearchParams(query).get('hash');
  const lasting = hash ? { 'cache-control': 'public, immutable', expires: inAYear() } : {};
  // A client that has the version in the index gets 304 without a document being read.
  if ((!hash || hash === expected) && holds(headers, expected)) return notModified(expected, { ...kind, ...lasting });
  const { bytes, etag } = await openapi.groupVersion(view, groupVersion, form);
  if (hash && hash !== etag) {
    // The location is relative, as `clusters/*/proxy` serves the same documents below another path.
    const location = `?hash=${etag}`;
    return { is: 'plain', status: 301, headers: { etag: `"${etag}"`, vary: 'Accept', location }, body: undefined };
  }
  return tagged(bytes, etag, headers, { ...kind, ...lasting });
}

/** The first available form in the client's order; 406 if there is none. */
function formFor({ forms }: OpenApiVersion, headers: Headers): DocumentForm {
  for (const { type } of parseAccept([headers['accept'] ?? []].flat().join(',') || undefined)) {
    if (type === '*/*' || type === 'application/*') return forms[0];
    const found = forms.find(({ mediaTypes }) => mediaTypes.includes(type));
    if (found) return found;
  }
  throw notAcceptable(forms.flatMap(({ mediaTypes }) => mediaTypes));
}

function tagged(bytes: Buffer, etag: string, headers: Headers, more: Headers): PlainReply {
  if (holds(headers, etag)) return notModified(etag, more);
  const length = String(bytes.length);
  return {
    is: 'plain',
    status: 200,
    headers: { ...more, etag: `"${etag}"`, 'content-length': length },
    body: bytes.length > pieceSize ? inPieces(bytes) : bytes,
  };
}

function notModified(etag: string, { 'content-type': _, ...more }: Headers): PlainReply {
  return { is: 'plain', status: 304, headers: { ...more, etag: `"${etag}"` }, body: undefined };
}

/** The header holds a list of tags, perhaps weak ones, or `*` (RFC 9110, 13.1.2). */
function holds(headers: Headers, etag: string): boolean {
  const held = [headers['if-none-match'] ?? []].flat().join(',');
  return held.split(',').some((tag) => ['*', `"${etag}"`].includes(tag.trim().replace(/^W\//, '')));
}

const pieceSize = 256 * 1024;

/** In pieces: in one write, a slow client's megabytes would be buffered in the memory of its HTTP/2 session. */
async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceSize) yield bytes.subarray(at, at + pieceSize);
}

function inAYear(): string {
  const date = new Date();
  date.setFullYear(date.getFullYear() + 1);
  return date.toUTCString();
}

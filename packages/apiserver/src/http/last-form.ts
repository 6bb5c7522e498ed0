/** The last step of every response: encodes it in the requested format, and errors as a Status. */

import { parseJson } from '@fleet/kube/json-value.ts';
import type { StatusError } from '@fleet/kube/status.ts';
import { encoded, errorMedia, plainMedia, replyIn } from './media.ts';
import { type ApiReply, type ApiRequest, oneHeader } from './message.ts';
import { prettyReply } from './pretty.ts';

const formatOf = (request: ApiRequest) => errorMedia(oneHeader(request, 'accept'));

/** Responses are built as JSON; other formats are converted from the whole. */
export async function inFormat(request: ApiRequest, reply: ApiReply): Promise<ApiReply> {
  const media = reply.media ?? formatOf(request);
  const { status, headers, body, isWatch, isFixed, isPassed } = reply;
  if (media === 'application/json' || isWatch || isFixed || isPassed || headers['content-type'] !== 'application/json')
    return reply;
  const bytes = Buffer.isBuffer(body) ? body : Buffer.concat(await Array.fromAsync(body));
  return { status, headers: { ...headers, 'content-type': media }, body: encoded(parseJson(bytes.toString()), media) };
}

export function refusalReply(request: ApiRequest, error: StatusError): ApiReply {
  const media = plainMedia(oneHeader(request, 'accept'));
  const plain = replyIn(media ?? 'application/json', error.code, error.toStatus());
  // An error that is not in any requested format is indented for people.
  const reply = media ? plain : prettyReply(plain);
  const retryAfter = error.details?.retryAfterSeconds;
  return retryAfter === undefined
    ? reply
    : { ...reply, headers: { ...reply.headers, 'retry-after': String(retryAfter) } };
}

/** The path is unknown; the response depends on the path's group. */
export const isNoPath = ({ code, details }: StatusError): boolean =>
  code === 404 && details !== undefined && Object.keys(details).length === 0;

/**
 * Where a view changes names the product answers in JSON whatever else is accepted (LIST-9), and errors in what is (ERR-1):
 * both sides are asked for JSON alone.
 */
import type { Request } from '../request.ts';
import { plainView, type View } from '../view.ts';
import { bookmarkShown } from './bookmark.ts';

const others = ['application/yaml', 'application/vnd.kubernetes.protobuf'];

export function acceptingJson(request: Request): Request {
  const [first = ''] = request.headers['accept']?.split(',') ?? [];
  if (!others.includes(first)) return request;
  return { ...request, headers: { ...request.headers, accept: 'application/json' } };
}

/** The API as it is, in JSON. */
export const jsonView: View = { ...plainView, out: acceptingJson, backEvent: bookmarkShown };

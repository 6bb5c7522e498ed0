/** Continue tokens in kube-apiserver's format: version, revision and the start of the next page. */

import { badRequest, expired, type StatusError } from '@fleet/kube/status.ts';
import { quoted } from '../errors/quoted.ts';

const form = 'meta.k8s.io/v1';

export interface Continuation {
  /** The page starts after this key. */
  after: string;
  /** Undefined for the latest state. */
  revision: number | undefined;
}

/** The smallest key after this one is the key with a zero byte appended. */
const next = (key: string): string => `${key}\0`;

const encode = (key: string, prefix: string, revision: number): string =>
  Buffer.from(JSON.stringify({ v: form, rv: revision, start: next(key).slice(prefix.length) })).toString('base64url');

export const continueToken = (lastKey: string, prefix: string, revision: number): string =>
  encode(lastKey, prefix, revision);

export function readContinueToken(token: string, prefix: string): Continuation {
  const { v, rv, start } = parse(token);
  if (v !== form) throw invalid(`continue key is not valid: server does not recognize this encoded version ${v ?? ''}`);
  if (!rv) throw invalid('continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  if (!start) throw invalid('continue key is not valid: encoded start key empty (version meta.k8s.io/v1)');
  const path = start.startsWith('/') ? start.slice(1) : start;
  // The token must not reach keys outside of the listed prefix.
  if (path.split('/').some((segment) => segment === '' || segment === '.' || segment === '..')) {
    throw invalid(`continue key is not valid: ${start}`);
  }
  return { after: prefix + path.replace(/\0$/, ''), revision: rv > 0 ? rv : undefined };
}

const invalid = (why: string): StatusError => badRequest(`invalid continue token: ${why}`);

function parse(token: string): { v?: string; rv?: number; start?: string } {
  const bad = /[^A-Za-z0-9_-]/.exec(token);
  if (bad) throw invalid(`continue key is not valid: illegal base64 data at input byte ${bad.index}`);
  // A base64 text cannot have this length.
  if (token.length % 4 === 1)
    throw invalid(`continue key is not valid: illegal base64 data at input byte ${token.length - 1}`);
  const text = Buffer.from(token, 'base64url').toString();
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) return parsed;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  throw invalid(`continue key is not valid: ${notJson(Buffer.from(token, 'base64url').toString('latin1'))}`);
}

/** Go's error text. */
const notJson = (text: string): string =>
  text.trim() === ''
    ? 'unexpected end of JSON input'
    : `invalid character '${quoted(text.trim()[0]!).slice(1, -1)}' looking for beginning of value`;

/** The page's snapshot is compacted: the error has a token that continues with the latest state. */
export const pageExpired = ({ after }: Continuation, prefix: string): StatusError =>
  expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
      'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
      'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
      'deleted between the time the first chunk was returned and now may show up in the list.',
    { continueToken: encode(after, prefix, -1) },
  );

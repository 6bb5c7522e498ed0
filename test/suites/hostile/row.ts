/** One hostile request, the answer it must get, and what the members must have seen of it. */

import type { OutgoingHttpHeaders } from 'node:http2';
import { memberProxy } from '../fleet.ts';

/** A code, and the reason of the Status where there must be one. */
export type Expected = number | readonly [code: number, reason: string];

export interface Row {
  name: string;
  /** `{token}` stands for a good token of the control plane, `{token64}` for it in base64url. */
  bytes: string | (() => Iterable<string>) | { headers: OutgoingHttpHeaders; body?: string };
  /** Who holds the client certificate of the connection. */
  as?: 'admin' | 'alice' | 'nobody';
  /** Of each answer on the connection, in order; none: it is closed without a word. */
  answers: readonly Expected[];
  /** Or the connection is closed without a word. */
  orClosed?: true;
  /** Verb and URI of each request in the member's audit log, in order. */
  member1?: readonly string[];
  member2?: readonly string[];
  /** As whom, where it is not the one with the certificate. */
  seenAs?: { user: string; groups: readonly string[] };
  /** member1 itself, asked with the same bytes without the path to the member, answers with the same codes. */
  likeMember?: true;
}

export const memberPath = memberProxy('member1');
export const configMaps = '/api/v1/namespaces/default/configmaps';

/** A head, line by line as it is written, and a body. */
export const message = (lines: readonly string[], body = ''): string => `${lines.join('\r\n')}\r\n\r\n${body}`;

export const get = (target: string, ...headers: string[]): string =>
  message([`GET ${target} HTTP/1.1`, 'Host: fleet', ...headers, 'Connection: close']);

export const post = (target: string, headers: readonly string[], body: string): string =>
  message([`POST ${target} HTTP/1.1`, 'Host: fleet', ...headers, 'Connection: close'], body);

export const configMap = (name: string): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

/** Refused before anybody else heard of it, with a Status. */
export const refused = [[400, 'BadRequest']] as const;
/** By the HTTP parser, which knows no Kubernetes. */
export const malformed = [400] as const;
export const unknown = [[404, 'NotFound']] as const;

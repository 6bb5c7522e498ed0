/** The interface of everything that serves the Kubernetes API: a member, an existing control plane, or the embedded one. */

import type { Duplex, Readable } from 'node:stream';
import type { ReplyBody } from './reply-body.ts';

/** Names in lower case, as in Node. */
export type Headers = Record<string, string | string[] | undefined>;

export interface UpstreamCall {
  method: string;
  /** Path and query, sent byte for byte. */
  path: string;
  headers: Headers;
  body?: Buffer | Readable | undefined;
  signal: AbortSignal;
}

export interface BytesReply {
  status: number;
  headers: Headers;
  body: ReplyBody;
}

/** The response to an upgrade request: the new stream, or an ordinary reply (such as a 403). */
export type UpgradeReply =
  | { is: 'upgraded'; status: number; statusText: string; headers: Headers; stream: Duplex; head: Buffer }
  | { is: 'refused'; reply: BytesReply };

export interface Upstream extends AsyncDisposable {
  call(call: UpstreamCall): Promise<BytesReply>;
  upgrade(call: UpstreamCall): Promise<UpgradeReply>;
}

/** No response arrived. `sent` states whether the request may have reached the server. */
export class UnreachableError extends Error {
  readonly sent: boolean;

  constructor(sent: boolean, options: ErrorOptions) {
    super(sent ? 'connection lost before an answer came' : 'cannot connect', options);
    this.sent = sent;
  }
}

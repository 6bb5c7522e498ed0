/** A request to the API server and its response, independent of the transport: a socket, or a call in process. */

import type { Duplex } from 'node:stream';
import { type JsonValue, jsonText } from '@fleet/kube/json-value.ts';
import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import type { User } from '../authn/user.ts';
import type { Media } from './media.ts';

export type Headers = Record<string, string | string[] | undefined>;

export interface ApiRequest {
  method: string;
  /** Path and query as received. */
  url: string;
  headers: Headers;
  body: Buffer;
  signal: AbortSignal;
  /** The client requests an upgrade, and the transport supports it. */
  isUpgrade?: true;
  /** The user, if the transport has authenticated it: by a certificate, or because the call is in process. */
  caller?: User | undefined;
}

/** Returns the user that the request is served as. Throws 401, 403, or 400 for invalid headers. */
export type Enter = (request: ApiRequest, ask: ResourceRequest | { path: string }) => Promise<User>;

export interface ApiReply {
  status: number;
  headers: Headers;
  body: Buffer | AsyncIterable<Uint8Array>;
  /** The requested format, if it is determined by more than the Accept header. */
  media?: Media;
  /** It continues with events, so its content is not known in advance. */
  isWatch?: true;
  /** JSON, or a format of its own, whatever was requested. */
  isFixed?: true;
  /** A response of another server, which is not changed. */
  isPassed?: true;
  /**
   * With 101, for a request that `isUpgrade`: takes over the connection after the response's head, and settles when it is done.
   * If it throws, the connection is destroyed.
   */
  takeOver?(connection: Duplex): Promise<void>;
}

/** A body that pushes its chunks: for thousands of concurrent watches that share small chunks. */
export interface FollowedBody extends AsyncIterable<Uint8Array> {
  follow(reader: BodyReader): { resume(): void };
}

export interface BodyReader {
  /** False: no more until it is resumed. */
  take(chunk: Uint8Array): boolean;
  end(): void;
}

export const isFollowed = (body: ApiReply['body']): body is FollowedBody => 'follow' in body;

export type ApiHandler = (request: ApiRequest) => Promise<ApiReply>;

export const jsonReply = (status: number, value: unknown): ApiReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(`${jsonText(value as JsonValue)}\n`),
});

export const oneHeader = ({ headers }: ApiRequest, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value.join(',') : value;
};

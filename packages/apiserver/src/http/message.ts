/** A request to the API server and its answer, whatever carries them: a socket, or a call within the process. */

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
  /** The client asks for another protocol, and what carries the request can change to one. */
  isUpgrade?: true;
  /** Who it is from, if what carried it knows: by a certificate, or since it is a call within the process. */
  caller?: User | undefined;
}

/** Whom a request is served as. Throws 401, 403, or 400 for headers that make no sense. */
export type Enter = (request: ApiRequest, ask: ResourceRequest | { path: string }) => Promise<User>;

export interface ApiReply {
  status: number;
  headers: Headers;
  body: Buffer | AsyncIterable<Uint8Array>;
  /** In which format it is wanted, if more than the request's header says. */
  media?: Media;
  /** Goes on as things happen: what it says is not known before. */
  isWatch?: true;
  /** JSON, or a format of its own, whatever else is asked for. */
  isFixed?: true;
  /** Another server's answer: it stays as it is. */
  isPassed?: true;
  /**
   * With 101, for a request that `isUpgrade`: is given the connection behind the head of the answer, and settles when it is done
   * with it. Until then it belongs to it; if it throws, the connection is destroyed.
   */
  takeOver?(connection: Duplex): Promise<void>;
}

/** A body that need not be read: for those of which there are thousands, and small chunks for all of them at once. */
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

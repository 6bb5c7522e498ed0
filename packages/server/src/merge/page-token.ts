/**
 * The continue token of a merged list: the position of its next page. It is opaque to clients. Its content can be trusted, also after a
 * restart, because it is authenticated with a stored key (PAGE-2).
 *
 *   base64url( HMAC-SHA-256, 16 bytes | deflated JSON )
 *
 * The list that a token is for is part of the authenticated data, but not of the token: for another list it is not valid.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { badRequest } from '@fleet/kube/status.ts';
import type { Column } from '../present/table-columns.ts';
import type { ClusterName } from '../target/target.ts';

export interface PagePosition {
  /** Of all clusters of the first page. */
  versions: ReadonlyMap<ClusterName, string>;
  /** The clusters that have items left, in order; at least one. */
  left: readonly ClusterLeft[];
  /** The position in the first of them: its own continue token; undefined: its start. */
  own?: string | undefined;
  /** A Table's layout, if the clusters have different ones. */
  columns?: readonly Column[] | undefined;
  /** The versions have expired: the rest is read at the latest state. */
  inconsistent?: true | undefined;
}

export interface ClusterLeft {
  cluster: ClusterName;
  /** The number of items; undefined if unknown, at least one. */
  items: number | undefined;
}

interface Content {
  versions: [ClusterName, string][];
  left: [ClusterName, number | null][];
  own?: string | undefined;
  columns?: readonly Column[] | undefined;
  now?: true | undefined;
}

const macLength = 16;

const invalid = () => badRequest('invalid continue token: continue key is not valid');

/** In bytes: more than a position in a list over hundreds of clusters takes. */
const longestContent = 256 * 1024;

/** Whether it has the form of a merged list's token, for whatever list. Not authenticated: its content must not be trusted. */
export function isPageToken(token: string): boolean {
  try {
    const packed = Buffer.from(token, 'base64url').subarray(macLength);
    const text = inflateRawSync(packed, { maxOutputLength: longestContent }).toString();
    const { versions, left } = JSON.parse(text) as Partial<Content>;
    return Array.isArray(versions) && Array.isArray(left);
  } catch {
    // Any other token: its bytes are not compressed.
    return false;
  }
}

export class PageTokens {
  private readonly key: Buffer;

  constructor(key: Buffer) {
    this.key = key;
  }

  /** `list`: what the token is valid for, a path and a selection. */
  write({ versions, left, own, columns, inconsistent }: PagePosition, list: string): string {
    const content: Content = {
      versions: [...versions],
      left: left.map(({ cluster, items }) => [cluster, items ?? null]),
      own,
      columns,
      now: inconsistent,
    };
    const packed = deflateRawSync(JSON.stringify(content));
    return Buffer.concat([this.mac(packed, list), packed]).toString('base64url');
  }

  /** 400 for a token that this server did not write, or wrote for another list. */
  read(token: string, list: string): PagePosition {
    const bytes = Buffer.from(token, 'base64url');
    // Node skips invalid base64url: one token must not have several spellings.
    if (bytes.length <= macLength || bytes.toString('base64url') !== token) throw invalid();
    const packed = bytes.subarray(macLength);
    if (!timingSafeEqual(bytes.subarray(0, macLength), this.mac(packed, list))) throw invalid();
    const { versions, left, now, ...rest } = JSON.parse(inflateRawSync(packed).toString()) as Content;
    return {
      ...rest,
      versions: new Map(versions),
      left: left.map(([cluster, items]) => ({ cluster, items: items ?? undefined })),
      inconsistent: now,
    };
  }

  private mac(packed: Buffer, list: string): Buffer {
    const mac = createHmac('sha256', this.key).update(`${list.length}:${list}`).update(packed).digest();
    return mac.subarray(0, macLength);
  }
}

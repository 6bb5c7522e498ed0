/** Reads and writes Kubernetes objects through any upstream; all controllers of the product use it. */

import { type Status, StatusError } from '@fleet/kube/status.ts';
import type { Headers, Upstream } from './upstream.ts';
import { upstreamUntil } from './upstream-until.ts';

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface ObjectMeta {
  name: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  ownerReferences?: OwnerReference[];
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
}

export interface KubeObject {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
}

export interface KubeList<T> {
  metadata: { resourceVersion: string; continue?: string };
  items: T[];
}

export type PatchType = 'merge' | 'strategic' | 'json' | 'apply';

const patchMediaType: Record<PatchType, string> = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
};

const requestDeadline = 30_000;
/** The limit for a page of objects, from a trusted server. */
const pageLimit = 64 * 1024 * 1024;

export class KubeClient {
  readonly upstream: Upstream;
  private readonly userAgent: string;
  private readonly headers: Headers;

  constructor(upstream: Upstream, userAgent = 'fleet') {
    this.upstream = upstream;
    this.userAgent = userAgent;
    this.headers = { accept: 'application/json', 'user-agent': userAgent };
  }

  /** The same client until the signal aborts: from then on it sends nothing, and what is under way is broken off. */
  until(signal: AbortSignal): KubeClient {
    return new KubeClient(upstreamUntil(this.upstream, signal), this.userAgent);
  }

  get<T>(path: string, signal?: AbortSignal): Promise<T> {
    return this.send<T>('GET', path, undefined, undefined, signal);
  }

  /** Lists all pages; if they expire meanwhile, lists again without pages, as client-go's pager does. */
  async list<T>(path: string, signal?: AbortSignal): Promise<KubeList<T>> {
    const items: T[] = [];
    const separator = path.includes('?') ? '&' : '?';
    let next = '';
    for (;;) {
      let page: KubeList<T>;
      try {
        page = await this.get<KubeList<T>>(`${path}${separator}limit=500${next}`, signal);
      } catch (error) {
        // If the first page has expired, so has the resourceVersion that the caller requested.
        if (next === '' || !isStatus(error, 410)) throw error;
        const { metadata, items } = await this.get<KubeList<T>>(path, signal);
        return { metadata, items: items ?? [] };
      }
      items.push(...(page.items ?? []));
      if (!page.metadata.continue) return { metadata: page.metadata, items };
      next = `&continue=${encodeURIComponent(page.metadata.continue)}`;
    }
  }

  create<T>(path: string, object: unknown, signal?: AbortSignal): Promise<T> {
    return this.send<T>('POST', path, object, 'application/json', signal);
  }

  replace<T>(path: string, object: unknown, signal?: AbortSignal): Promise<T> {
    return this.send<T>('PUT', path, object, 'application/json', signal);
  }

  patch<T>(path: string, type: PatchType, patch: unknown, signal?: AbortSignal): Promise<T> {
    return this.send<T>('PATCH', path, patch, patchMediaType[type], signal);
  }

  delete<T>(path: string, options?: unknown, signal?: AbortSignal): Promise<T> {
    return this.send<T>('DELETE', path, options, options ? 'application/json' : undefined, signal);
  }

  private async send<T>(
    method: string,
    path: string,
    body: unknown,
    contentType: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const deadline = AbortSignal.timeout(requestDeadline);
    const reply = await this.upstream.call({
      method,
      path,
      headers: contentType ? { ...this.headers, 'content-type': contentType } : this.headers,
      body: body === undefined ? undefined : Buffer.from(bodyText(body)),
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    const bytes = await reply.body.bytes(pageLimit);
    // Anything but a 2xx is an error, including redirects, which are not followed.
    if (reply.status < 200 || reply.status >= 300) throw errorOf(reply.status, bytes);
    return JSON.parse(bytes.toString()) as T;
  }
}

/** From ES2026; TypeScript has no type for it yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };
const beyondInt64 = 2 ** 63;

/**
 * Numbers above 2^53 were rounded when they were parsed. Go's largest int64 was rounded to a value outside int64: without this
 * correction an object with it could not be written back.
 */
function bodyText(body: unknown): string {
  const text = JSON.stringify(body);
  if (!text.includes(String(beyondInt64))) return text;
  return JSON.stringify(body, (_key, value: unknown) => {
    if (value === beyondInt64) return rawJSON(String(2n ** 63n - 1n));
    return value === -beyondInt64 ? rawJSON(String(-(2n ** 63n))) : value;
  });
}

/** The Status in a response's body, or one made from its code if a proxy or a dying server sent none. */
export function errorOf(code: number, bytes: Buffer): StatusError {
  try {
    const status = JSON.parse(bytes.toString()) as Partial<Status>;
    if (status.kind === 'Status') {
      const { continue: continueToken } = status.metadata ?? {};
      return new StatusError(code, status.reason ?? '', status.message ?? '', status.details, { continueToken });
    }
  } catch {
    // Not JSON: the code alone makes the error, below.
  }
  return new StatusError(code, code === 401 ? 'Unauthorized' : 'InternalError', `the server answered ${code}`);
}

export const isStatus = (error: unknown, code: number): error is StatusError =>
  error instanceof StatusError && error.code === code;

/** The namespace is terminating: nothing can be created in it. */
export const isNamespaceTerminating = (error: unknown): boolean =>
  error instanceof StatusError &&
  (error.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false);

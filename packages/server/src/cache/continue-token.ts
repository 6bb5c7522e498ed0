/**
 * Continue tokens in kube-apiserver's own form, so that a page which began in the cache may continue in the member, and the other
 * way round (PAGE-2): `{"v":"meta.k8s.io/v1","rv":1234,"start":"default/a\u0000"}` in base64url, relative to what is listed.
 */

const form = 'meta.k8s.io/v1';

/** A key with such a part is refused by kube-apiserver. */
const notInPaths: ReadonlySet<string> = new Set(['', '.', '..']);

export interface Continuation {
  /** The resource version that all pages of the list have. */
  version: string;
  /** `namespace/name`, or `name`: the page begins behind it. */
  after: string;
}

/** `within`: the namespace that is listed, whose name keys in the token do not have. */
export function continueToken({ version, after }: Continuation, within: string | undefined): string | undefined {
  const revision = Number(version);
  // Versions that are no numbers are of servers which have tokens of their own.
  if (!Number.isSafeInteger(revision) || revision <= 0) return undefined;
  const start = `${within === undefined ? after : after.slice(within.length + 1)}\0`;
  return Buffer.from(JSON.stringify({ v: form, rv: revision, start })).toString('base64url');
}

/** Undefined for what the cache did not write and cannot read: the member knows what it means. */
export function readContinueToken(token: string, within: string | undefined): Continuation | undefined {
  const { v, rv, start } = parsed(token);
  if (v !== form || typeof start !== 'string' || !start.endsWith('\0')) return undefined;
  // Without a version the list goes on as everything is now, which the member decides.
  if (typeof rv !== 'number' || !Number.isSafeInteger(rv) || rv <= 0) return undefined;
  // kube-apiserver reads a key with a slash before it as one without, and writes both.
  const key = start.slice(start.startsWith('/') ? 1 : 0, -1);
  if (key.split('/').some((part) => notInPaths.has(part))) return undefined;
  return { version: String(rv), after: within === undefined ? key : `${within}/${key}` };
}

function parsed(token: string): { v?: unknown; rv?: unknown; start?: unknown } {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

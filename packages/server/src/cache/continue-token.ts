/**
 * Continue tokens in kube-apiserver's format, so that a list can begin in the cache and continue in the member, or the reverse
 * (PAGE-2): `{"v":"meta.k8s.io/v1","rv":1234,"start":"default/a\\u0000"}` in base64url. `start` is relative to the listed path.
 */

const form = 'meta.k8s.io/v1';

/** kube-apiserver rejects a key with such a segment. */
const notInPaths: ReadonlySet<string> = new Set(['', '.', '..']);

export interface Continuation {
  /** The resource version of all pages of the list. */
  version: string;
  /** `namespace/name`, or `name`: the page begins after it. */
  after: string;
}

/** `within`: the listed namespace, which is left out of the token's key. Undefined if no token can be made. */
export function continueToken({ version, after }: Continuation, within: string | undefined): string | undefined {
  const revision = Number(version);
  // A server whose versions are not numbers has its own token format.
  if (!Number.isSafeInteger(revision) || revision <= 0) return undefined;
  const start = `${within === undefined ? after : after.slice(within.length + 1)}\0`;
  return Buffer.from(JSON.stringify({ v: form, rv: revision, start })).toString('base64url');
}

/** Undefined if the format is unknown: the token goes to the member. */
export function readContinueToken(token: string, within: string | undefined): Continuation | undefined {
  const { v, rv, start } = parsed(token);
  if (v !== form || typeof start !== 'string' || !start.endsWith('\0')) return undefined;
  // Without a version the list continues at the latest state (an inconsistent continue): left to the member.
  if (typeof rv !== 'number' || !Number.isSafeInteger(rv) || rv <= 0) return undefined;
  // kube-apiserver writes keys with and without a leading slash, and reads them as equal.
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

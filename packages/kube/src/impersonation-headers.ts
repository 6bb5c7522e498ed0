/** Parses a request's `Impersonate-*` headers. */

export interface Impersonation {
  /** Empty if the header is absent, as is `uid`. */
  name: string;
  uid: string;
  groups: string[];
  extra: Record<string, string[]>;
}

interface Headers {
  readonly [name: string]: string | readonly string[] | undefined;
}

/** Header bytes are UTF-8 to Kubernetes; Node hands them over as latin1. */
const utf8 = (text: string): string => Buffer.from(text, 'latin1').toString('utf8');

const valuesOf = (value: Headers[string]): string[] => [value ?? []].flat().map(utf8);

const extraPrefix = 'impersonate-extra-';

/** An invalid percent-encoding is kept as it is. */
function unescapeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

export function impersonationIn(headers: Headers): Impersonation {
  // The client chooses the keys: `__proto__` must be a key like any other.
  const extra: Impersonation['extra'] = Object.create(null);
  for (const header of Object.keys(headers)) {
    if (!header.startsWith(extraPrefix)) continue;
    const key = unescapeKey(header.slice(extraPrefix.length));
    // One key has many spellings; their values are all kept.
    const values = extra[key] ?? [];
    extra[key] = values;
    for (const value of valuesOf(headers[header])) values.push(value);
  }
  return {
    name: valuesOf(headers['impersonate-user'])[0] ?? '',
    uid: valuesOf(headers['impersonate-uid'])[0] ?? '',
    groups: valuesOf(headers['impersonate-group']),
    extra,
  };
}

/** Whether uid, groups or extra are requested, which Kubernetes refuses without a user name. */
export const wantsMoreThanName = ({ uid, groups, extra }: Impersonation): boolean =>
  uid !== '' || groups.length > 0 || Object.keys(extra).length > 0;

/** Whom a request wants to be, as its `Impersonate-*` headers say. */

export interface Impersonation {
  /** Empty where it is not told, as is `uid`. */
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

/** A key that is no valid encoding counts as it is. */
function unescapeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

export function impersonationIn(headers: Headers): Impersonation {
  // Keys are the client's: `__proto__` is one like any other.
  const extra: Impersonation['extra'] = Object.create(null);
  for (const header of Object.keys(headers)) {
    if (!header.startsWith(extraPrefix)) continue;
    const key = unescapeKey(header.slice(extraPrefix.length));
    // One key has many spellings: none of them copies what the others brought.
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

/** Whether anything but a name is wanted, which is nothing without one. */
export const wantsMoreThanName = ({ uid, groups, extra }: Impersonation): boolean =>
  uid !== '' || groups.length > 0 || Object.keys(extra).length > 0;

/** Whom a request wants to be, from its `Impersonate-*` headers. */

import { badRequest } from '@fleet/kube/status.ts';
import { quoted } from '../errors/quoted.ts';
import type { Headers } from '../http/message.ts';

export interface WantedUser {
  name: string;
  uid: string;
  groups: string[];
  extra: Record<string, string[]>;
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

/** Undefined: nobody else. */
export function readImpersonation(headers: Headers): WantedUser | undefined {
  const wanted: WantedUser = {
    name: valuesOf(headers['impersonate-user'])[0] ?? '',
    uid: valuesOf(headers['impersonate-uid'])[0] ?? '',
    groups: valuesOf(headers['impersonate-group']),
    extra: {},
  };
  for (const header of Object.keys(headers)) {
    if (!header.startsWith(extraPrefix)) continue;
    const key = unescapeKey(header.slice(extraPrefix.length));
    wanted.extra[key] = [...(wanted.extra[key] ?? []), ...valuesOf(headers[header])];
  }
  if (wanted.name) return wanted;
  const isMore = wanted.uid !== '' || wanted.groups.length > 0 || Object.keys(wanted.extra).length > 0;
  if (isMore) throw badRequest(`requested ${goText(wanted)} without impersonating a user name`);
  return undefined;
}

/** As Go prints the struct. */
function goText({ uid, groups, extra }: WantedUser): string {
  const list = (texts: readonly string[]) => `[]string{${texts.map(quoted).join(', ')}}`;
  const told = Object.keys(extra).sort();
  const map = told.length > 0 ? `{${told.map((key) => `${quoted(key)}:${list(extra[key]!)}`).join(', ')}}` : '(nil)';
  const groupText = groups.length > 0 ? list(groups) : '[]string(nil)';
  return `&user.DefaultInfo{Name:"", UID:${quoted(uid)}, Groups:${groupText}, Extra:map[string][]string${map}}`;
}

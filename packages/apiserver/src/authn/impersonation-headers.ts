/** Parses the impersonated user from headers, with kube-apiserver's errors. */

import { type Impersonation, impersonationIn, wantsMoreThanName } from '@fleet/kube/impersonation-headers.ts';
import { badRequest } from '@fleet/kube/status.ts';
import { quoted } from '../errors/quoted.ts';
import type { Headers } from '../http/message.ts';

export type ImpersonatedUser = Impersonation;

/** Undefined if no impersonation is requested. */
export function readImpersonation(headers: Headers): ImpersonatedUser | undefined {
  const impersonated = impersonationIn(headers);
  if (impersonated.name) return impersonated;
  if (wantsMoreThanName(impersonated))
    throw badRequest(`requested ${goText(impersonated)} without impersonating a user name`);
  return undefined;
}

/** In Go's format of the struct. */
function goText({ uid, groups, extra }: ImpersonatedUser): string {
  const list = (texts: readonly string[]) => `[]string{${texts.map(quoted).join(', ')}}`;
  const names = Object.keys(extra).sort();
  const map = names.length > 0 ? `{${names.map((key) => `${quoted(key)}:${list(extra[key]!)}`).join(', ')}}` : '(nil)';
  const groupText = groups.length > 0 ? list(groups) : '[]string(nil)';
  return `&user.DefaultInfo{Name:"", UID:${quoted(uid)}, Groups:${groupText}, Extra:map[string][]string${map}}`;
}

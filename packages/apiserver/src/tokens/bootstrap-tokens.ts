/** Authenticates bootstrap tokens: Secrets of that type in kube-system, for joining nodes (`id.secret`). */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { TokenAuthenticator } from '../authn/authenticate.ts';
import type { Lookup } from './account-tokens.ts';

const form = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const groupForm = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
const secretType = 'bootstrap.kubernetes.io/token';
const everyone = 'system:bootstrappers';

/** In constant time, whatever the lengths. */
const isSame = (left: string, right: string): boolean => {
  const [a, b] = [left, right].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(a, b);
};

const isOver = (expiration: string): boolean => expiration !== '' && !(Date.parse(expiration) > Date.now());

/** Undefined if one of them is not a bootstrap group. */
function groupsIn(text: string): string[] | undefined {
  const more = text.split(',').filter((one) => one !== '');
  if (!more.every((group) => groupForm.test(group))) return undefined;
  return [...new Set([everyone, ...more])].sort();
}

/** They have no audiences: they are valid for the server's own. */
export const bootstrapTokens = (lookup: Lookup, apiAudiences: readonly string[]): TokenAuthenticator => ({
  async authenticate(token, requested = apiAudiences) {
    const audiences = apiAudiences.filter((one) => requested.includes(one));
    if (audiences.length === 0) return undefined;
    const [, id, secret] = form.exec(token) ?? [];
    if (id === undefined || secret === undefined) return undefined;
    const kept = await lookup('secrets', `bootstrap-token-${id}`, 'kube-system').catch(() => undefined);
    if (!kept || kept.metadata.deletionTimestamp || kept['type'] !== secretType) return undefined;
    const data = (kept['data'] ?? {}) as Partial<Record<string, string>>;
    const text = (key: string): string => Buffer.from(data[key] ?? '', 'base64').toString();
    if (!isSame(text('token-secret'), secret) || text('token-id') !== id) return undefined;
    if (isOver(text('expiration')) || text('usage-bootstrap-authentication') !== 'true') return undefined;
    const groups = groupsIn(text('auth-extra-groups'));
    return groups && { user: { name: `system:bootstrap:${id}`, groups, extra: {} }, audiences };
  },
});

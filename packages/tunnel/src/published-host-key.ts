/**
 * A public host key as servers publish it for new tokens to pin (AGENT-3): as OpenSSH writes it, and in place of the comment the time at
 * which its server was last seen.
 *
 *     ssh-ed25519 AAAA… 2026-05-01T12:00:00Z
 */

import { timeText } from '@fleet/kube/time-text.ts';

export interface PublishedHostKey {
  /** As in `ssh-ed25519 AAAA…`, for known_hosts. */
  publicKey: string;
  /** In milliseconds since 1970. Undefined: somebody wrote the entry by hand, who also removes it. */
  lastSeen?: number | undefined;
}

/** For so long a server may be down, and new tokens pin its key still. */
const keptFor = 7 * 24 * 60 * 60 * 1000;

const form = /^(ssh-ed25519 [A-Za-z0-9+/]+=*)(?: (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ))?$/;

export const publishedLine = (publicKey: string, lastSeen: number): string => `${publicKey} ${timeText(lastSeen)}`;

/** Undefined where it is none. */
export function readPublishedLine(line: string): PublishedHostKey | undefined {
  const [, publicKey, time] = form.exec(line.trim()) ?? [];
  if (publicKey === undefined) return undefined;
  if (time === undefined) return { publicKey };
  const lastSeen = Date.parse(time);
  return Number.isNaN(lastSeen) ? undefined : { publicKey, lastSeen };
}

/** Its server has gone, as far as anybody can tell: whoever finds its key must not be the fleet for new tokens. */
export const isStale = ({ lastSeen }: PublishedHostKey, now: number): boolean =>
  lastSeen !== undefined && now - lastSeen > keptFor;

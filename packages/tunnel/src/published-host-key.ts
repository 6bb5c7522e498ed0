/**
 * A public host key as servers publish it for new tokens to pin (AGENT-3): in OpenSSH's format, with the time at which its server was
 * last seen instead of the comment.
 *
 *     ssh-ed25519 AAAA… 2026-05-01T12:00:00Z
 */

import { timeText } from '@fleet/kube/time-text.ts';

export interface PublishedHostKey {
  /** For known_hosts: `ssh-ed25519 AAAA…`. */
  publicKey: string;
  /** In milliseconds since 1970. Undefined for an entry that somebody wrote by hand, and also removes by hand. */
  lastSeen?: number | undefined;
}

/** In milliseconds: new tokens still pin the key of a server that has been down for less than this. */
const keptFor = 7 * 24 * 60 * 60 * 1000;

const form = /^(ssh-ed25519 [A-Za-z0-9+/]+=*)(?: (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ))?$/;

export const publishedLine = (publicKey: string, lastSeen: number): string => `${publicKey} ${timeText(lastSeen)}`;

/** Undefined if the line is not a published key. */
export function readPublishedLine(line: string): PublishedHostKey | undefined {
  const [, publicKey, time] = form.exec(line.trim()) ?? [];
  if (publicKey === undefined) return undefined;
  if (time === undefined) return { publicKey };
  const lastSeen = Date.parse(time);
  return Number.isNaN(lastSeen) ? undefined : { publicKey, lastSeen };
}

/** Its server is probably gone: the holder of its key must not pass for the fleet to new tokens. */
export const isStale = ({ lastSeen }: PublishedHostKey, now: number): boolean =>
  lastSeen !== undefined && now - lastSeen > keptFor;

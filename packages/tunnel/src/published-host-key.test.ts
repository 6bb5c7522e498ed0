import { describe, expect, it, test } from 'vitest';
import { isStale, publishedLine, readPublishedLine } from './published-host-key.ts';
import { makeHostKey } from './ssh2/host-key.ts';

const { publicKey } = makeHostKey();
const day = 24 * 60 * 60 * 1000;
const now = Date.UTC(2026, 4, 1, 12);

describe('AGENT-3: a published host key', () => {
  it('is a line with the time its server was last seen', () => {
    const line = publishedLine(publicKey, now);
    expect(line).toBe(`${publicKey} 2026-05-01T12:00:00Z`);
    expect(readPublishedLine(`${line}\n`)).toEqual({ publicKey, lastSeen: now });
  });

  it('may be written by hand, without a time', () => {
    expect(readPublishedLine(publicKey)).toEqual({ publicKey });
  });

  test.each(['', 'ssh-ed25519', 'ssh-rsa AAAA', 'ssh-ed25519 AAAA fleet', 'ssh-ed25519 AAAA 2026-99-99T12:00:00Z'])(
    '%j is none',
    (line) => expect(readPublishedLine(line)).toBeUndefined(),
  );

  test.each([
    [now, false],
    [now + day, false],
    [now - 7 * day, false],
    [now - 7 * day - 1, true],
    [undefined, false],
  ])('last seen %s: stale %s', (lastSeen, stale) => {
    expect(isStale({ publicKey, lastSeen }, now)).toBe(stale);
  });
});

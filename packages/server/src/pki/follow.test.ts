import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../testing/silent-log.ts';
import { type Followed, follow } from './follow.ts';

let followed: Followed<number> | undefined;
afterEach(() => followed?.[Symbol.dispose]());

async function following(first: string) {
  const file = { text: first };
  const { log, lines } = silentLog();
  const changes: number[] = [];
  followed = await follow({
    what: 'a number',
    read: async () => [file.text],
    understand: ([text]) => {
      if (!/^\d+$/.test(text ?? '')) throw new Error(`"${text}" is no number`);
      return Number(text);
    },
    every: 5,
    onChange: (value) => changes.push(value),
    log,
  });
  return { file, lines, changes, followed };
}

describe('AUTHN-3: what changes on disk', () => {
  it('is read again, and reported once', async () => {
    const { file, changes, followed } = await following('1');
    expect(followed.value).toBe(1);
    file.text = '2';
    await vi.waitFor(() => expect(followed.value).toBe(2));
    await sleep(20);
    expect(changes).toEqual([2]);
  });

  it('stays as it was while it makes no sense, with one warning', async () => {
    const { file, lines, changes, followed } = await following('1');
    file.text = 'half writ';
    await vi.waitFor(() => expect(lines).toHaveLength(1));
    await sleep(20);
    expect(lines).toMatchObject([{ level: 'warn' }]);
    expect(followed.value).toBe(1);
    file.text = '3';
    await vi.waitFor(() => expect(changes).toEqual([3]));
  });

  it('must make sense at first', async () => {
    await expect(following('x')).rejects.toThrow('"x" is no number');
  });

  it('is not looked at any more after its end', async () => {
    const { file, changes, followed } = await following('1');
    followed[Symbol.dispose]();
    file.text = '2';
    await sleep(20);
    expect(changes).toEqual([]);
  });
});

import { UnreachableError } from '@fleet/client/upstream.ts';
import { describe, expect, it } from 'vitest';
import { retryUnreachable } from './retry-unreachable.ts';

const failing = (times: number, error: Error) => {
  const tried = { times: 0 };
  const work = async () => {
    tried.times += 1;
    if (tried.times <= times) throw error;
    return 'done';
  };
  return { tried, work };
};
const unreachable = new UnreachableError(false, {});

describe('what could not reach a server', () => {
  it('is tried again', async () => {
    const { work } = failing(3, unreachable);
    expect(await retryUnreachable(work, new AbortController().signal)).toBe('done');
  });

  it('fails after some tries', async () => {
    const { work, tried } = failing(10, unreachable);
    await expect(retryUnreachable(work, new AbortController().signal)).rejects.toBe(unreachable);
    expect(tried.times).toBe(5);
  });

  it('is not tried again once nobody wants it', async () => {
    const { work, tried } = failing(10, unreachable);
    await expect(retryUnreachable(work, AbortSignal.abort())).rejects.toBe(unreachable);
    expect(tried.times).toBe(1);
  });
});

it('what was refused is not tried again', async () => {
  const refused = new Error('no');
  const { work, tried } = failing(10, refused);
  await expect(retryUnreachable(work, new AbortController().signal)).rejects.toBe(refused);
  expect(tried.times).toBe(1);
});

import { expect } from 'vitest';

/** An error as the client sees it. */
export const refusal = (code: number, reason: string, message: string | RegExp) =>
  expect.objectContaining({
    code,
    reason,
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  });

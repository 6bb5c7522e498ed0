/** Cancels a body whose sender is silent while the reader waits for it; a slow reader does not count. */

import type { ReplyBody } from './reply-body.ts';

export async function* withIdleDeadline(body: ReplyBody, timeout: number): AsyncGenerator<Buffer, void, undefined> {
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    timer = setTimeout(() => body.cancel(new Error(`no data for ${timeout} ms`)), timeout);
  };
  try {
    wait();
    for await (const chunk of body) {
      clearTimeout(timer);
      yield chunk;
      wait();
    }
  } finally {
    clearTimeout(timer);
    body.cancel();
  }
}

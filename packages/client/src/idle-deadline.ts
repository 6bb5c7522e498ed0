/** Ends a body whose sender falls silent while somebody waits for it; a slow reader costs nothing. */

import type { ReplyBody } from './reply-body.ts';

export async function* withIdleDeadline(body: ReplyBody, patience: number): AsyncGenerator<Buffer, void, undefined> {
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    timer = setTimeout(() => body.cancel(new Error(`nothing arrived for ${patience} ms`)), patience);
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

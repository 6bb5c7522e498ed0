import { once } from 'node:events';
import { duplexPair } from 'node:stream';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Pod } from '../pods/pod.ts';
import { PodServer } from './pod-server.ts';

it('what is no HTTP is answered, and the connection ends though the client keeps its half', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const [near, far] = duplexPair();
  let isOver = false;
  void new PodServer().serve(near, { pod: {} as Pod, port: 80 }).then(() => {
    isOver = true;
  });
  far.write('no HTTP\r\n\r\n');
  const [answer] = (await once(far, 'data')) as [Buffer];
  expect(answer.toString()).toBe('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
  for (let left = 100; left > 0 && !isOver; left -= 1) {
    vi.advanceTimersByTime(1_000);
    await new Promise((next) => setImmediate(next));
  }
  expect(isOver).toBe(true);
});

import { expect, it } from 'vitest';
import { jsonReply } from '../http/message.ts';
import { incomingOf } from '../testing/targets.ts';
import { withUrlLimit } from './url-length.ts';

it('LIMIT-1 IMP-4: a URL above 64 KiB is 414 before any work is done', async () => {
  let asked = 0;
  const handler = withUrlLimit(async () => {
    asked++;
    return jsonReply(200, {});
  });
  expect((await handler(incomingOf('GET', '/'.padEnd(65_536, 'a')))).status).toBe(200);
  await expect(handler(incomingOf('GET', '/'.padEnd(65_537, 'a')))).rejects.toMatchObject({ code: 414 });
  expect(asked).toBe(1);
});

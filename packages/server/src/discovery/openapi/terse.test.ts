import { expect, it } from 'vitest';
import { FakeUpstream, openBody } from '../../testing/fake-upstream.ts';
import { isTerse } from './terse.ts';

it('SEC-2: a document that is larger than an object may be is dropped', async () => {
  const { body, write } = openBody(1_000);
  write(JSON.stringify({ filler: 'x'.repeat(2_000) }));
  body.end();
  const upstream = new FakeUpstream(() => ({ status: 200, headers: {}, body }));
  await expect(isTerse(upstream, new AbortController().signal)).rejects.toThrow('more than 1000 bytes');
});

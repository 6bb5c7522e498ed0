import { ReplyBody } from '@fleet/client/reply-body.ts';
import type { Upstream } from '@fleet/client/upstream.ts';
import { expect, test } from 'vitest';
import { Impersonating } from './impersonating.ts';

const call = { method: 'GET', path: '/', headers: {}, signal: new AbortController().signal };

function answering(status: number, text: string, length: string | undefined = String(text.length)): Upstream {
  const reply = () => {
    const body = new ReplyBody({ pause: () => {}, resume: () => {}, abort: () => {} });
    body.push(Buffer.from(text));
    body.end();
    return { status, headers: { 'content-length': length }, body };
  };
  return {
    call: async () => reply(),
    upgrade: async () => ({ is: 'refused', reply: reply() }),
    [Symbol.asyncDispose]: async () => {},
  };
}

const asked = async (member: Upstream) => {
  const { status, headers, body } = await new Impersonating('m1', member).call(call);
  return { status, retryAfter: headers['retry-after'], text: String(await body.bytes()) };
};

const refused = '{"message":"users \\"a\\" is forbidden: User \\"fleet\\" cannot impersonate resource \\"users\\""}';

test('WATCH-6 LIST-4: a member that does not let us act as its users is unreachable, and has refused nobody', async () => {
  expect(await asked(answering(403, refused))).toMatchObject({
    status: 503,
    retryAfter: '1',
    text: expect.stringContaining('cluster \\"m1\\" does not allow this server to impersonate users'),
  });
  const upgraded = await new Impersonating('m1', answering(403, refused)).upgrade(call);
  expect(upgraded).toMatchObject({ is: 'refused', reply: { status: 503 } });
});

test('what a member refuses the user passes as it is, and so does all else', async () => {
  const own = '{"message":"pods is forbidden: User \\"a\\" cannot list resource \\"pods\\""}';
  expect(await asked(answering(403, own))).toMatchObject({ status: 403, text: own });
  expect(await asked(answering(200, refused))).toMatchObject({ status: 200, text: refused });
  // SEC-2: of more than 8 KiB nothing is held, even if its header claims less
  const long = refused + 'x'.repeat(9_000);
  expect(await asked(answering(403, long))).toMatchObject({ status: 403, text: long });
  await expect(asked(answering(403, long, '100'))).rejects.toThrow('more than 8192 bytes');
  // of no known length: it may be a stream
  const { status } = await new Impersonating('m1', answering(403, refused, '')).call(call);
  expect(status).toBe(403);
});

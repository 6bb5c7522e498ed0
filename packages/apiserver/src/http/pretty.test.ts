import { expect, it } from 'vitest';
import type { ApiReply } from './message.ts';
import { prettyReply, wantsPretty } from './pretty.ts';

const asked = (url: string, agent = 'kubectl/v1.36') =>
  wantsPretty({
    method: 'GET',
    url,
    headers: { 'user-agent': agent },
    body: Buffer.alloc(0),
    signal: new AbortController().signal,
  });

it.each([
  ['/api/v1/pods?pretty=true', 'x', true],
  ['/api/v1/pods?limit=1&pretty=1', 'x', true],
  ['/api/v1/pods?pretty=yes', 'curl/8', false],
  ['/api/v1/pods?pretty=false', 'curl/8', false],
  ['/api/v1/pods?pretty=', 'curl/8', true],
  ['/api/v1/pods', 'Wget/1.2', true],
  ['/api/v1/pods', 'Mozilla/5.0 (X11)', true],
  ['/api/v1/pods', 'kubectl/v1.36', false],
])('%s of %s: %s', (url, agent, expected) => {
  expect(asked(url, agent)).toBe(expected);
});

const value = {
  a: [],
  b: {},
  'c {"': 'x\\"y: [1,2]',
  d: [1, { e: [[], [true, null]] }],
  f: 'ä 漢字',
  g: { h: '\\' },
};

it('indents as Go does, wherever the pieces of a body end', async () => {
  const text = Buffer.from(`${JSON.stringify(value)}\n`);
  for (let cut = 0; cut <= text.length; cut += 1) {
    const reply = {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: pieces(text.subarray(0, cut), text.subarray(cut)),
    };
    const made = Buffer.concat(await Array.fromAsync(prettyReply(reply).body as AsyncIterable<Uint8Array>));
    expect(made.toString()).toBe(JSON.stringify(value, undefined, 2));
  }
});

it('indents a body that is there as a whole', () => {
  const reply: ApiReply = {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(value)),
  };
  expect(String(prettyReply(reply).body)).toBe(JSON.stringify(value, undefined, 2));
});

async function* pieces(...given: Uint8Array[]) {
  yield* given;
}

it('LIMIT-3: what is long comes in slices, between which the event loop turns', async () => {
  const long = Array.from({ length: 200_000 }, (_, index) => ({ index }));
  const reply = {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(long)),
  };
  const { body } = prettyReply(reply);
  if (Buffer.isBuffer(body)) throw new Error('in one piece');
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 0);
  const made = Buffer.concat(await Array.fromAsync(body)).toString();
  clearInterval(timer);
  expect(made === JSON.stringify(long, null, 2)).toBe(true);
  expect(turns).toBeGreaterThan(2);
});

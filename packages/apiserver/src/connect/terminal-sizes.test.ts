import { expect, it } from 'vitest';
import { TerminalSizes } from './terminal-sizes.ts';

it('sizes come one by one, however they are cut; who is late gets the last', async () => {
  const sizes = new TerminalSizes();
  const read = sizes[Symbol.asyncIterator]();
  const first = read.next();
  for (const sign of '{"Width":80,"Height":24}\n') sizes.take(Buffer.from(sign));
  expect((await first).value).toEqual({ width: 80, height: 24 });
  sizes.take(Buffer.from('{"Width":1,"Height":2}\n{"width":3,"HEIGHT":4}'));
  expect((await read.next()).value).toEqual({ width: 3, height: 4 });
  sizes.end();
  expect((await read.next()).done).toBe(true);
});

it.each(['{"Width":-1}', '{"Width":65536}', '{"Width":"1"}', 'x}', `{"${'x'.repeat(2_000)}`])(
  'SEC-2: %s ends them',
  async (text) => {
    const sizes = new TerminalSizes();
    sizes.take(Buffer.from(text));
    expect(await Array.fromAsync(sizes)).toEqual([]);
  },
);

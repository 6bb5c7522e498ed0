/** TLS over streams that are not sockets, such as those of a tunnel. */

import { Duplex } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { secure, secureContextOf } from './dial.ts';
import { HttpsUpstream } from './https-upstream.ts';

const stream = (): Duplex => new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
const handshake = (raw: Duplex) =>
  secure(raw, { host: 'member', port: 443 }, {}, secureContextOf({}), AbortSignal.timeout(2_000));
/** Streams of a tunnel have an error listener, as an error may come before they are used. */
const broken = (raw: Duplex, error?: Error) => raw.on('error', () => {}).destroy(error);
const closed = (raw: Duplex, error?: Error) =>
  new Promise<void>((resolve) => broken(raw.once('close', resolve), error));
const reset = Object.assign(new Error('channel closed by the other side'), { code: 'ECONNRESET' });

describe('NAME-8: a handshake over a stream that breaks fails at once', () => {
  it.each([
    ['destroyed before it', (raw: Duplex) => broken(raw), undefined],
    ['broken before it', (raw: Duplex) => broken(raw, reset), undefined],
    ['closed before it', (raw: Duplex) => closed(raw), undefined],
    ['closed by an error before it', (raw: Duplex) => closed(raw, reset), undefined],
    ['ended before it', (raw: Duplex) => raw.push(null), undefined],
    ['destroyed during it', undefined, (raw: Duplex) => broken(raw)],
    ['broken during it', undefined, (raw: Duplex) => broken(raw, reset)],
    ['ended during it', undefined, (raw: Duplex) => raw.push(null)],
  ] as const)('%s', async (_, before, during) => {
    const raw = stream();
    await before?.(raw);
    const connecting = handshake(raw);
    if (during) setTimeout(() => during(raw), 20);
    const begun = performance.now();
    await expect(connecting).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(performance.now() - begun).toBeLessThan(1_500);
    expect(raw.destroyed).toBe(true);
  });
});

it.each(['http', 'https'])(
  'NAME-8: a request over a dial whose stream is closed already fails at once, %s',
  async (scheme) => {
    const dial = async () => {
      const raw = stream();
      await closed(raw, reset);
      return raw;
    };
    await using upstream = new HttpsUpstream({ url: `${scheme}://member`, tls: {}, dial });
    const call = { method: 'GET', path: '/', headers: {}, signal: AbortSignal.timeout(2_000) };
    await expect(upstream.call(call)).rejects.toMatchObject({ sent: false });
  },
);

/** Indents JSON: for `?pretty=true`, and by default for browsers, curl and wget. */

import { Pace } from '@fleet/client/pace.ts';
import type { ApiReply, ApiRequest } from './message.ts';
import { oneHeader } from './message.ts';

const truths = ['1', 't', 'T', 'TRUE', 'true', 'True'];
const peoplesPrograms = /^(?:curl|Wget|Mozilla\/5\.0)/;

export function wantsPretty(request: ApiRequest): boolean {
  const at = request.url.indexOf('?');
  const asked = at < 0 ? null : new URLSearchParams(request.url.slice(at)).get('pretty');
  return asked ? truths.includes(asked) : peoplesPrograms.test(oneHeader(request, 'user-agent') ?? '');
}

/** The reply with its JSON, except for watches, indented as by Go's `MarshalIndent`: without a final line break. */
export function prettyReply(reply: ApiReply): ApiReply {
  const { body, headers, isWatch } = reply;
  if (isWatch || headers['content-type'] !== 'application/json' || isPretty(body)) return reply;
  const indenter = new Indenter();
  if (Buffer.isBuffer(body) && body.length <= atOnce) return { ...reply, body: indenter.push(body) };
  const chunks = Buffer.isBuffer(body) ? [body] : body;
  return { ...reply, body: indented(chunks, indenter) };
}

/** In bytes. Deep JSON becomes many times as long: it is written in slices, with backpressure (LIMIT-3). */
const atOnce = 16 * 1024;

async function* indented(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  indenter: Indenter,
): AsyncGenerator<Uint8Array> {
  const pace = new Pace();
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += atOnce) {
      if (pace.isDue) await pace.rest();
      yield indenter.push(chunk.subarray(at, at + atOnce));
    }
  }
}

const isPretty = (body: ApiReply['body']): boolean => Buffer.isBuffer(body) && body[1] === 0x0a;

/** Processes compact JSON piece by piece, so that a long list is never held as a whole. */
class Indenter {
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  /** The previous character is an opening bracket: empty objects and arrays stay on one line. */
  #isOpened = false;

  push(piece: Uint8Array): Buffer {
    // One character per byte: bytes beyond ASCII occur in strings only, and are copied.
    const text = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1');
    let made = '';
    let copied = 0;
    for (let at = 0; at < text.length; at += 1) {
      const sign = text[at]!;
      if (this.#isInText) this.#readText(sign);
      else {
        const [before, after] = this.#around(sign);
        if (before === '' && after === sign) continue;
        made += text.slice(copied, at) + before + after;
        copied = at + 1;
      }
    }
    return Buffer.from(made + text.slice(copied), 'latin1');
  }

  #readText(sign: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (sign === '\\') this.#isEscaped = true;
    else if (sign === '"') this.#isInText = false;
  }

  /** The text to write for a character outside of strings: the part before it, and the character with the part after it. */
  #around(sign: string): [string, string] {
    if (sign === '\n') return ['', ''];
    const isClosing = sign === '}' || sign === ']';
    if (isClosing) this.#depth -= 1;
    const before = this.#isOpened !== isClosing ? this.#line() : '';
    this.#isOpened = sign === '{' || sign === '[';
    if (this.#isOpened) this.#depth += 1;
    if (sign === '"') this.#isInText = true;
    if (sign === ',') return [before, `,${this.#line()}`];
    return [before, sign === ':' ? ': ' : sign];
  }

  #line(): string {
    return `\n${'  '.repeat(this.#depth)}`;
  }
}

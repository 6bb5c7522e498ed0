/** Prints the server's `Warning` headers on standard error, each text once, as kubectl does. */

import type { Headers } from '@fleet/client/upstream.ts';

export class ServerWarnings {
  private readonly written = new Set<string>();
  private readonly write: (text: string) => void;

  constructor(write: (text: string) => void = (text) => void process.stderr.write(text)) {
    this.write = write;
  }

  take({ warning }: Headers): void {
    for (const text of [warning ?? []].flat().flatMap(warningTexts)) {
      if (this.written.has(text)) continue;
      this.written.add(text);
      this.write(`Warning: ${text}\n`);
    }
  }
}

/** `299 - "text"`, several of them separated by commas. Node reads the bytes, which are UTF-8, as latin1. */
export function warningTexts(header: string): string[] {
  const texts: string[] = [];
  // Linear: the signs after which each part ends cannot be in it.
  for (const [, code, quoted] of header.matchAll(/(?:^|,)[ \t]*(\d{3}) [^ ",]* "((?:[^"\\]|\\.)*)"/g)) {
    if (code === '299') texts.push(Buffer.from(quoted!.replace(/\\(.)/g, '$1'), 'latin1').toString('utf8'));
  }
  return texts;
}

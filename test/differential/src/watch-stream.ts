/** The events of one open watch, as lines of text. */
import type { Readable } from 'node:stream';

export interface WatchRead {
  readonly lines: string[];
  /** How reading ended: `end` was seen, the server closed, the line broke, or time ran out. */
  readonly ended: 'seen' | 'closed' | 'broken' | 'late';
}

export class WatchStream {
  readonly headers: Readonly<Record<string, string>>;
  readonly #body: Readable;
  readonly #lines: string[] = [];
  #rest = '';
  #ended: 'closed' | 'broken' | undefined;
  #wake: () => void = () => {};

  constructor(headers: Readonly<Record<string, string>>, body: Readable) {
    this.headers = headers;
    this.#body = body;
    // split on 0x0A only: U+2028 may stand inside a JSON string
    body.setEncoding('utf8');
    body.on('data', (chunk: string) => {
      const lines = (this.#rest + chunk).split('\n');
      this.#rest = lines.pop() ?? '';
      this.#lines.push(...lines);
      this.#wake();
    });
    body.on('end', () => this.#close(this.#rest === '' ? 'closed' : 'broken'));
    body.on('error', () => this.#close('broken'));
  }

  #close(how: 'closed' | 'broken'): void {
    this.#ended ??= how;
    this.#wake();
  }

  /** Waits for a line that holds `text`; returns all the same when the watch ends or time runs out. */
  async waitFor(text: string, deadline: number): Promise<void> {
    await this.#read(text, deadline);
  }

  /** Reads up to the line that holds `end`, and closes the watch. */
  async readTo(end: string, deadline: number): Promise<WatchRead> {
    try {
      return await this.#read(end, deadline);
    } finally {
      this.#body.on('error', () => {});
      this.#body.destroy();
    }
  }

  async #read(end: string, deadline: number): Promise<WatchRead> {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.#wake();
    }, deadline);
    try {
      for (let at = 0; ; ) {
        for (; at < this.#lines.length; at++) {
          if (this.#lines[at]?.includes(end)) return { lines: this.#lines.slice(0, at + 1), ended: 'seen' };
        }
        if (this.#ended) return { lines: [...this.#lines, this.#rest].filter(Boolean), ended: this.#ended };
        if (late) return { lines: this.#lines, ended: 'late' };
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      clearTimeout(timer);
    }
  }
}

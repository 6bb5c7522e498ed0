/** Edits the current input line as a terminal does, and returns the echo. */

/** In characters, the limit of terminals. */
const longestLine = 4_095;
const mostRemembered = 50;
const bell = '\x07';
const erase = '\b \b';

export type Typed = { is: 'line'; line: string } | { is: 'interrupt' } | { is: 'end' };

export class LineEditor {
  /** Characters, not code units, as one is deleted at a time. */
  #line: string[] = [];
  /** The current escape sequence, such as that of an arrow key. */
  #escape: string | undefined;
  readonly #remembered: string[] = [];
  #recalled = 0;

  /** Returns the text to echo, and the completed input. */
  key(sign: string): { echo: string; typed?: Typed } {
    if (this.#escape !== undefined) return { echo: this.#escaped(sign) };
    switch (sign) {
      case '\r':
      case '\n':
        return this.#enter();
      case '\x03':
        this.#line = [];
        return { echo: '^C\n', typed: { is: 'interrupt' } };
      case '\x04':
        return this.#line.length === 0 ? { echo: '', typed: { is: 'end' } } : { echo: '' };
      case '\x7f':
      case '\b':
        return { echo: this.#line.pop() === undefined ? '' : erase };
      case '\x15':
        return { echo: this.#cleared() };
      case '\x17':
        return { echo: this.#withoutWord() };
      case '\x1b':
        this.#escape = '';
        return { echo: '' };
      default:
        return { echo: this.#plain(sign) };
    }
  }

  #plain(sign: string): string {
    if (sign < ' ' && sign !== '\t') return '';
    if (this.#line.length >= longestLine) return bell;
    this.#line.push(sign);
    return sign;
  }

  #enter(): { echo: string; typed: Typed } {
    const line = this.#line.join('');
    this.#line = [];
    if (line !== '') this.#remembered.push(line);
    if (this.#remembered.length > mostRemembered) this.#remembered.shift();
    this.#recalled = this.#remembered.length;
    return { echo: '\n', typed: { is: 'line', line } };
  }

  #cleared(): string {
    const echo = erase.repeat(this.#line.length);
    this.#line = [];
    return echo;
  }

  #withoutWord(): string {
    let erased = 0;
    while (this.#line.at(-1) === ' ') erased += this.#line.pop()!.length;
    while (this.#line.length > 0 && this.#line.at(-1) !== ' ') erased += this.#line.pop()!.length;
    return erase.repeat(erased);
  }

  /** `ESC [ A` is up, `ESC [ B` down; others are ignored. */
  #escaped(sign: string): string {
    const sequence = this.#escape! + sign;
    const isOpen = sequence === '[' || sequence === 'O' || (sequence.length < 8 && /^\[[0-9;]*$/.test(sequence));
    this.#escape = isOpen ? sequence : undefined;
    if (sequence === '[A' || sequence === 'OA') return this.#recall(-1);
    if (sequence === '[B' || sequence === 'OB') return this.#recall(1);
    return '';
  }

  #recall(step: number): string {
    const at = this.#recalled + step;
    if (at < 0 || at > this.#remembered.length) return '';
    this.#recalled = at;
    const cleared = this.#cleared();
    this.#line = [...(this.#remembered[at] ?? '')];
    return cleared + this.#line.join('');
  }
}

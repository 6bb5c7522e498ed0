/** Reads a JSONPath template as kubectl writes it, such as `{range .items[*]}{.metadata.name}{"\n"}{end}`, in one pass. */

import { UsageError } from '../../errors.ts';

export type Step =
  | { do: 'text'; text: string }
  | { do: 'literal'; value: number | boolean }
  | { do: 'field'; name: string }
  | { do: 'every' }
  | { do: 'recursive' }
  | { do: 'slice'; from: number | undefined; to: number | undefined; step: number | undefined; isIndex: boolean }
  | { do: 'union'; of: Step[][] }
  | { do: 'filter'; left: Step[]; operator: Operator | undefined; right: Step[] };

export const operators = ['==', '!=', '<=', '>=', '<', '>'] as const;
export type Operator = (typeof operators)[number];

export type Block =
  | { kind: 'text'; text: string }
  | { kind: 'action'; steps: Step[] }
  | { kind: 'range'; steps: Step[]; body: Block[] };

/** A range that is not ended goes on to the end of the template, as in kubectl. */
export function parseTemplate(text: string): Block[] {
  const reader = new Reader(text);
  const root: Block[] = [];
  const open: Block[][] = [root];
  while (!reader.isAtEnd()) {
    const plain = reader.until('{');
    if (plain) open.at(-1)!.push({ kind: 'text', text: plain });
    if (reader.isAtEnd()) break;
    const action = reader.action();
    switch (action.keyword) {
      case 'range': {
        const body: Block[] = [];
        open.at(-1)!.push({ kind: 'range', steps: action.steps, body });
        open.push(body);
        break;
      }
      case 'end':
        if (open.length === 1) throw new UsageError('not in range, nothing to end');
        open.pop();
        break;
      case undefined:
        open.at(-1)!.push({ kind: 'action', steps: action.steps });
        break;
      default:
        action.keyword satisfies never;
    }
  }
  return root;
}

interface Action {
  keyword: 'range' | 'end' | undefined;
  steps: Step[];
}

const isLetterOrDigit = (sign: string): boolean => /[\p{L}\p{Nd}_]/u.test(sign);
const endsWord = (sign: string): boolean => sign === '' || ' \t\r\n.,[]$@{}'.includes(sign);

class Reader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  until(sign: string): string {
    const found = this.text.indexOf(sign, this.at);
    const end = found < 0 ? this.text.length : found;
    const text = this.text.slice(this.at, end);
    this.at = end;
    return text;
  }

  /** From its opening brace to behind the closing one. */
  action(): Action {
    this.at++;
    const action: Action = { keyword: undefined, steps: [] };
    for (let sign = this.peek(); sign !== '}'; sign = this.peek()) {
      if (sign === '' || sign === '\n' || sign === '\r') throw new UsageError('unclosed action');
      const word = this.step(sign, action.steps);
      if (word === 'range' || word === 'end') action.keyword = word;
      else if (word !== undefined) throw new UsageError(`unrecognized identifier ${word}`);
    }
    this.at++;
    return action;
  }

  /** A word that is no step is returned. */
  private step(sign: string, steps: Step[]): string | undefined {
    if (this.text.startsWith('[?(', this.at)) steps.push(this.filter());
    else if (this.text.startsWith('..', this.at)) this.recursive(steps);
    // Both are the current object.
    else if (sign === ' ' || sign === '@' || sign === '$') this.at++;
    else if (sign === '[') steps.push(...this.array());
    else if (sign === '"' || sign === "'") steps.push(this.quoted(sign));
    else if (sign === '.') {
      this.at++;
      steps.push(this.field());
    } else if (/[-+\d]/.test(sign)) steps.push(this.number());
    else if (isLetterOrDigit(sign)) return this.word(steps);
    else throw new UsageError(`unrecognized character in action: ${sign}`);
    return undefined;
  }

  private peek(): string {
    return this.text.charAt(this.at);
  }

  private recursive(steps: Step[]): void {
    if (steps.at(-1)?.do === 'recursive') throw new UsageError('invalid multiple recursive descent');
    this.at += 2;
    steps.push({ do: 'recursive' });
    if (isLetterOrDigit(this.peek())) steps.push(this.field());
  }

  /** A backslash takes what follows as it is. */
  private field(): Step {
    let name = '';
    for (let sign = this.peek(); !endsWord(sign); sign = this.peek()) {
      if (sign === '\\') this.at++;
      name += this.peek();
      this.at++;
    }
    return name === '*' ? { do: 'every' } : { do: 'field', name };
  }

  private word(steps: Step[]): string | undefined {
    const from = this.at;
    while (!endsWord(this.peek())) this.at++;
    const word = this.text.slice(from, this.at);
    if (word !== 'true' && word !== 'false') return word;
    steps.push({ do: 'literal', value: word === 'true' });
    return undefined;
  }

  private number(): Step {
    const from = this.at++;
    while (/[.\d]/.test(this.peek())) this.at++;
    const text = this.text.slice(from, this.at);
    const value = Number(text);
    if (Number.isNaN(value)) throw new UsageError(`cannot parse number ${text}`);
    return { do: 'literal', value };
  }

  private quoted(quote: string): Step {
    const from = ++this.at;
    for (let sign = this.peek(); sign !== quote; sign = this.peek()) {
      if (sign === '' || sign === '\n') throw new UsageError('unterminated quoted string');
      this.at += sign === '\\' ? 2 : 1;
    }
    return { do: 'text', text: unescaped(this.text.slice(from, this.at++)) };
  }

  private array(): Step[] {
    const from = this.at + 1;
    const end = this.text.indexOf(']', from);
    const inner = this.text.slice(from, end);
    if (end < 0 || inner.includes('\n')) throw new UsageError('unterminated array');
    this.at = end + 1;
    const parts = inner.split(',');
    if (parts.length > 1) return [{ do: 'union', of: parts.map((part) => selected(part.trim())) }];
    return selected(inner);
  }

  private filter(): Step {
    this.at += '[?('.length;
    const from = this.at;
    let quote = '';
    for (let sign = this.peek(); quote || sign !== ')'; sign = this.peek()) {
      if (sign === '' || sign === '\n') throw new UsageError('unterminated filter');
      if (sign === quote) quote = '';
      else if (!quote && (sign === '"' || sign === "'")) quote = sign;
      this.at += quote && sign === '\\' ? 2 : 1;
    }
    const inner = this.text.slice(from, this.at);
    if (this.text[++this.at] !== ']') throw new UsageError('unclosed array expect ]');
    this.at++;
    return comparison(inner);
  }
}

/** `'key'`, `*`, `1` or `1:3:2` between brackets. */
function selected(text: string): Step[] {
  const key = /^'([^']*)'$/.exec(text)?.[1];
  if (key !== undefined) return stepsOf(`.${key}`);
  const [found, from = '', to, step] = /^(-?\d*)(?::(-?\d*))?(?::(-?\d*))?$/.exec(text === '*' ? ':' : text) ?? [];
  if (found === undefined || [from, to, step].includes('-')) throw new UsageError(`invalid array index ${text}`);
  const number = (digits: string | undefined) => (digits ? Number(digits) : undefined);
  return [{ do: 'slice', from: number(from), to: number(to), step: number(step), isIndex: to === undefined }];
}

function comparison(text: string): Step {
  const at = text.search(/[!<>=]/);
  if (at < 1) return { do: 'filter', left: stepsOf(text), operator: undefined, right: [] };
  const operator = operators.find((one) => text.startsWith(one, at));
  if (!operator) throw new UsageError(`unrecognized filter operator in ${text}`);
  const right = text.slice(at + operator.length);
  return { do: 'filter', left: stepsOf(text.slice(0, at)), operator, right: stepsOf(right) };
}

const stepsOf = (text: string): Step[] => new Reader(`{${text}}`).action().steps;

const signs: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', '"': '"', "'": "'" };

const unescaped = (text: string): string =>
  text.replace(/\\(.?)/g, (_, sign: string) => {
    const meant = Object.hasOwn(signs, sign) ? signs[sign] : undefined;
    if (meant === undefined) throw new UsageError(`unknown escape \\${sign} in a quoted string`);
    return meant;
  });

/** Parses label selectors, with apimachinery's grammar and error texts (`pkg/labels/selector.go`). */

import { badRequest } from '../status.ts';
import { plainLabelRules } from './label-rules.ts';
import { readWords, type Token, type Word } from './label-tokens.ts';

type Labels = Readonly<Record<string, string>>;
export type LabelSelector = (labels: Labels) => boolean;

/** An invalid key or value of a requirement. */
export interface LabelFault {
  field: string;
  value: string;
  detail: string;
}

/** Validates keys and values, and gives the error messages. */
export interface LabelRules {
  keyFaults(key: string): readonly string[];
  valueFaults(value: string): readonly string[];
  text(faults: readonly LabelFault[]): string;
}

/** Undefined selects everything. */
export function parseLabelSelector(selector: string, rules: LabelRules = plainLabelRules): LabelSelector | undefined {
  const requirements = new Parser(selector, rules).parse();
  return requirements.length === 0 ? undefined : (labels) => requirements.every((matches) => matches(labels));
}

const operators: readonly Token[] = ['in', 'notin', '=', '==', '!=', '>', '<'];
/** As errors list them. */
const operatorNames = 'in, notin, =, ==, !=, gt, lt';

class Parser {
  readonly #words: Word[];
  readonly #rules: LabelRules;
  #at = 0;

  constructor(selector: string, rules: LabelRules) {
    this.#words = readWords(selector);
    this.#rules = rules;
  }

  parse(): LabelSelector[] {
    const requirements: LabelSelector[] = [];
    for (;;) {
      const { token, literal } = this.#peek();
      if (token === 'end') return requirements;
      if (token !== 'identifier' && token !== '!') {
        throw refused(`found '${literal}', expected: !, identifier, or 'end of string'`);
      }
      requirements.push(this.#requirement());
      const behind = this.#take();
      if (behind.token === 'end') return requirements;
      if (behind.token !== ',') throw refused(`found '${behind.literal}', expected: ',' or 'end of string'`);
      const next = this.#peek();
      if (next.token !== 'identifier' && next.token !== '!') {
        throw refused(`found '${next.literal}', expected: identifier after ','`);
      }
    }
  }

  #requirement(): LabelSelector {
    const isNegated = this.#peek().token === '!';
    if (isNegated) this.#take();
    const { token, literal: key } = this.#take();
    if (token !== 'identifier') throw notParsed(`found '${key}', expected: identifier`);
    const faults = this.#rules.keyFaults(key);
    if (faults.length > 0) {
      throw notParsed(this.#rules.text([{ field: '<nil>', value: key, detail: faults.join('; ') }]));
    }
    const next = this.#peek().token;
    if (isNegated) return this.#checked(key, (labels) => !Object.hasOwn(labels, key), []);
    if (next === 'end' || next === ',') return (labels) => Object.hasOwn(labels, key);
    return this.#comparison(key);
  }

  #comparison(key: string): LabelSelector {
    // `in` is an operator here, and a plain word everywhere else.
    const { token, literal } = this.#words[this.#at++]!;
    if (!operators.includes(token)) throw notParsed(`found '${literal}', expected: ${operatorNames}`);
    const values = token === 'in' || token === 'notin' ? this.#set() : [this.#exactValue()];
    // A client may name thousands of values, and each label set is compared with them.
    const allowed = new Set(values);
    const has = (labels: Labels): boolean => Object.hasOwn(labels, key) && allowed.has(labels[key]!);
    switch (token) {
      case 'notin':
      case '!=':
        return this.#checked(key, (labels) => !has(labels), values);
      case '>':
      case '<':
        return this.#checked(key, ordered(key, token, values[0]!), values, integerFaults(values[0]!));
      default:
        return this.#checked(key, has, values);
    }
  }

  #checked(key: string, selector: LabelSelector, values: readonly string[], errors: LabelFault[] = []): LabelSelector {
    const wrong = values.flatMap((value, index) => {
      const faults = this.#rules.valueFaults(value);
      return faults.length > 0 ? [{ field: `values[${index}][${key}]`, value, detail: faults.join('; ') }] : [];
    });
    if (errors.length + wrong.length > 0) throw notParsed(this.#rules.text([...errors, ...wrong]));
    return selector;
  }

  #set(): string[] {
    const open = this.#take();
    if (open.token !== '(') throw notParsed(`found '${open.literal}' expected: '('`);
    const values = new Set<string>();
    if (this.#peek().token === ')') {
      this.#take();
      return [''];
    }
    const first = this.#peek();
    if (first.token !== 'identifier' && first.token !== ',') {
      throw notParsed(`found '${first.literal}', expected: ',', ')' or identifier`);
    }
    for (;;) {
      const { token, literal } = this.#take();
      if (token === 'identifier') values.add(literal);
      else if (token === ',') this.#emptyValues(values);
      else throw notParsed(`found '${literal}', expected: ',', or identifier`);
      const next = this.#peek();
      if (next.token === ')') break;
      if (token === 'identifier' && next.token !== ',')
        throw notParsed(`found '${next.literal}', expected: ',' or ')'`);
    }
    this.#take();
    return [...values].sort();
  }

  /** `(,a)`, `(a,,b)` and `(a,)` hold an empty value. */
  #emptyValues(values: Set<string>): void {
    const next = this.#peek().token;
    if (values.size === 0 || next === ')' || next === ',') values.add('');
  }

  #exactValue(): string {
    const next = this.#peek().token;
    if (next === 'end' || next === ',') return '';
    const { token, literal } = this.#take();
    if (token !== 'identifier') throw notParsed(`found '${literal}', expected: identifier`);
    return literal;
  }

  #peek(): Word {
    const { token, literal } = this.#words[this.#at]!;
    return { token: token === 'in' || token === 'notin' ? 'identifier' : token, literal };
  }

  #take(): Word {
    const word = this.#peek();
    this.#at += 1;
    return word;
  }
}

const integer = /^[+-]?\d{1,19}$/;

const integerFaults = (value: string): LabelFault[] =>
  integer.test(value)
    ? []
    : [{ field: 'values[0]', value, detail: "for 'Gt', 'Lt' operators, the value must be an integer" }];

const ordered =
  (key: string, operator: '>' | '<', bound: string): LabelSelector =>
  (labels) => {
    const value = Object.hasOwn(labels, key) ? labels[key]! : '';
    if (!integer.test(value)) return false;
    return operator === '>' ? BigInt(value) > BigInt(bound) : BigInt(value) < BigInt(bound);
  };

const refused = (why: string) => badRequest(why);
const notParsed = (why: string) => badRequest(`unable to parse requirement: ${why}`);

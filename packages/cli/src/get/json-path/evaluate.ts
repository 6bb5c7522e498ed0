/** Applies a JSONPath template to an object, with kubectl's results and errors. Fields that are missing print nothing. */

import { compactGoJson } from '../go-text.ts';
import type { Block, Operator, Step } from './template.ts';

export function evaluate(blocks: readonly Block[], value: unknown): string {
  return blocks.map((block) => textOfBlock(block, value)).join('');
}

function textOfBlock(block: Block, value: unknown): string {
  switch (block.kind) {
    case 'text':
      return block.text;
    case 'action':
      return walk([value], block.steps).map(textOf).join(' ');
    case 'range':
      return walk([value], block.steps)
        .map((one) => evaluate(block.body, one))
        .join('');
    default:
      return block satisfies never;
  }
}

const walk = (values: readonly unknown[], steps: readonly Step[]): readonly unknown[] => steps.reduce(take, values);

function take(values: readonly unknown[], step: Step): readonly unknown[] {
  switch (step.do) {
    case 'text':
      return [step.text];
    case 'literal':
      return values.map(() => step.value);
    case 'field':
      return values.flatMap((value) => (isMap(value) && Object.hasOwn(value, step.name) ? [value[step.name]] : []));
    case 'every':
      return values.flatMap(children);
    case 'recursive':
      return values.flatMap(descendants);
    case 'slice':
      return values.flatMap((value) => (value === null ? [] : slice(arrayIn(value), step)));
    case 'union':
      return step.of.flatMap((steps) => walk(values, steps));
    case 'filter':
      return values.flatMap((value) => arrayIn(value).filter((one) => passes(one, step)));
    default:
      return step satisfies never;
  }
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const children = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : isMap(value) ? Object.values(value) : [];

/** Values of which nothing can be selected, such as numbers, are left out, as by kubectl. */
function descendants(value: unknown): unknown[] {
  const below = children(value);
  if (typeof value === 'string' && value !== '') return [value];
  return below.length === 0 ? [] : [value, ...below.flatMap(descendants)];
}

function arrayIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`${isMap(value) ? 'an object' : compactGoJson(value)} is not an array`);
}

type Slice = Extract<Step, { do: 'slice' }>;

/** Go's, which refuses what is out of bounds. */
function slice(array: unknown[], { from = 0, to, step = 1, isIndex }: Slice): unknown[] {
  const { length } = array;
  const first = from < 0 ? from + length : from;
  const end = isIndex ? first + 1 : to === undefined ? length : to < 0 ? to + length : to;
  if (first === end) return [];
  const outside = (index: number) => new Error(`array index out of bounds: index ${index}, length ${length}`);
  if (first < 0 || first >= length) throw outside(first);
  if (end < 0 || end > length) throw outside(end - 1);
  if (first > end) throw new Error(`starting index ${first} is greater than ending index ${end}`);
  if (step <= 0) throw new Error('step must be > 0');
  return array.slice(first, end).filter((_, index) => index % step === 0);
}

function passes(value: unknown, { left, operator, right }: Extract<Step, { do: 'filter' }>): boolean {
  const lefts = walk([value], left);
  if (operator === undefined) return lefts.length > 0;
  if (lefts.length === 0) return false;
  const rightValues = walk([value], right);
  if (rightValues.length === 0) return false;
  if (lefts.length > 1 || rightValues.length > 1) throw new Error('can only compare one element at a time');
  return compare(lefts[0], operator, rightValues[0]);
}

const kindOf = (value: unknown): string => (typeof value === 'bigint' ? 'number' : typeof value);

function compare(left: unknown, operator: Operator, right: unknown): boolean {
  const kinds = [kindOf(left), kindOf(right)];
  const isOrdered = ['string', 'number'].includes(kinds[0]!);
  const isSign = operator === '==' || operator === '!=';
  if (!isOrdered && !(isSign && kinds[0] === 'boolean')) throw new Error('invalid type for comparison');
  if (kinds[0] !== kinds[1]) throw new Error('incompatible types for comparison');
  const [a, b] = [left, right] as [string, string];
  switch (operator) {
    // Not ===: an integer may be a number or a BigInt.
    case '==':
      return a <= b && a >= b;
    case '!=':
      return a < b || a > b;
    case '<':
      return a < b;
    case '>':
      return a > b;
    case '<=':
      return a <= b;
    case '>=':
      return a >= b;
    default:
      return operator satisfies never;
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return numberText(value);
  return compactGoJson(value);
}

/** As Go prints floats. */
function numberText(value: number): string {
  const size = Math.abs(value);
  if (Number.isInteger(value) || (size >= 1e-4 && size < 1e6)) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}

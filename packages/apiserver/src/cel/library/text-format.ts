/** `'%s is %d'.format([…])`, as in version 2 of cel-go's string extension. */

import { quoted } from '../../errors/quoted.ts';
import { Duration, EvaluationError, ListValue, MapValue, Timestamp, typeOf, Uint, type Value } from '../values.ts';
import { toText } from './conversions.ts';

const clause = /%(?:(%)|(?:\.(\d+))?([\s\S]?))/g;

export function formatText(format: string, args: readonly Value[]): string {
  let index = 0;
  return format.replace(clause, (whole, percent: string | undefined, precision: string | undefined, letter: string) => {
    if (percent) return '%';
    if (letter === '') throw new EvaluationError('unexpected end of string');
    if (index >= args.length) throw new EvaluationError(`index ${index} out of range`);
    return clauseText(letter, precision === undefined ? 6 : Number(precision), args[index++]!, whole);
  });
}

const wrongType = (what: string, value: Value): EvaluationError =>
  new EvaluationError(`error during formatting: ${what}, was given ${typeOf(value).name}`);

function clauseText(letter: string, precision: number, value: Value, _whole: string): string {
  const whole = value instanceof Uint ? value.value : value;
  switch (letter) {
    case 's':
      return shown(value);
    case 'd':
      if (typeof whole !== 'bigint') throw wrongType('decimal clause can only be used on integers', value);
      return String(whole);
    case 'f':
      return inFixed(doubleOf(value, 'fixed-point clause can only be used on doubles'), precision);
    case 'e':
      return scientific(doubleOf(value, 'scientific clause can only be used on doubles'), precision);
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0';
      if (typeof whole !== 'bigint') throw wrongType('only integers and bools can be formatted as binary', value);
      return whole.toString(2);
    case 'x':
    case 'X': {
      const hex = hexText(value);
      return letter === 'X' ? hex.toUpperCase() : hex;
    }
    case 'o':
      if (typeof whole !== 'bigint') throw wrongType('octal clause can only be used on integers', value);
      return whole.toString(8);
    default:
      throw new EvaluationError(`could not parse formatting clause: unrecognized formatting clause "${letter}"`);
  }
}

function doubleOf(value: Value, what: string): number {
  if (typeof value === 'number') return value;
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return Number(value);
  throw wrongType(what, value);
}

/** With thousands separators: the locale is en_US. */
function inFixed(value: number, precision: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '-∞';
  return value.toLocaleString('en-US', { minimumFractionDigits: precision, maximumFractionDigits: precision });
}

function scientific(value: number, precision: number): string {
  if (!Number.isFinite(value)) return inFixed(value, precision);
  const [digits = '', exponent = '0'] = value.toExponential(precision).split('e');
  const power = String(Math.abs(Number(exponent))).padStart(2, '0');
  const raised = [...power].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('');
  return `${digits}\u202f×\u202f10${Number(exponent) < 0 ? '⁻' : ''}${raised}`;
}

function hexText(value: Value): string {
  if (typeof value === 'string' || value instanceof Uint8Array) return Buffer.from(value as string).toString('hex');
  if (typeof value === 'bigint') return value.toString(16);
  if (value instanceof Uint) return value.value.toString(16);
  throw wrongType('only integers, byte buffers, and strings can be formatted as hex', value);
}

function shown(value: Value): string {
  if (value === null) return 'null';
  if (value instanceof ListValue) return `[${[...value].map(inside).join(', ')}]`;
  if (value instanceof MapValue) return mapText(value);
  return toText(value);
}

function mapText(map: MapValue): string {
  const pairs = map.keys().map((key) => `${inside(key)}:${inside(map.find(key)!)}`);
  return `{${pairs.sort().join(', ')}}`;
}

/** A value inside a list or map is written as a literal. */
function inside(value: Value): string {
  if (typeof value === 'string') return quoted(value);
  if (value instanceof Uint8Array) return `b${quoted(toText(value))}`;
  if (typeof value === 'number') return Number.isFinite(value) ? value.toFixed(6) : `"${toText(value)}"`;
  if (value instanceof Timestamp) return `timestamp(${quoted(toText(value))})`;
  if (value instanceof Duration) return `duration(${quoted(toText(value))})`;
  return shown(value);
}

/** How many values a format needs; used if both are literals. */
export const clausesIn = (format: string): number =>
  [...format.matchAll(clause)].filter(([, percent]) => !percent).length;

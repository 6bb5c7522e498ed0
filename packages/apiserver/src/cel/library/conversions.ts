/** Type conversions, and the parts of timestamps. */

import type { FunctionDeclaration, Library } from '../environment.ts';
import * as types from '../types.ts';
import {
  Duration,
  EvaluationError,
  noSuchOverload,
  Timestamp,
  TypeValue,
  typeOf,
  Uint,
  type Value,
} from '../values.ts';
import { declare, free, inRange, member, unsigned } from './declare.ts';
import { durationText, inZone, parseDuration, parseTime, timeText } from './durations.ts';

const { bool, bytes, double, duration, dyn, int, param, string, timestamp, uint } = types;
const a = param('A');

const cannot = (value: Value, to: string): EvaluationError =>
  new EvaluationError(`type conversion error from '${typeOf(value).name}' to '${to}'`);

function toBool([value]: readonly Value[]): Value {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') throw noSuchOverload();
  if (['1', 't', 'T', 'true', 'TRUE', 'True'].includes(value)) return true;
  if (['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(value)) return false;
  throw cannot(value, 'bool');
}

function toInt([value]: readonly Value[]): Value {
  if (typeof value === 'bigint') return value;
  if (value instanceof Uint) return inRange(value.value);
  if (value instanceof Duration) return value.nanos;
  if (value instanceof Timestamp)
    return (value.nanos - (((value.nanos % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n)) / 1_000_000_000n;
  if (typeof value === 'number') {
    if (!(value > -(2 ** 63) && value < 2 ** 63)) throw new EvaluationError('integer overflow');
    return BigInt(Math.trunc(value));
  }
  if (typeof value !== 'string') throw noSuchOverload();
  if (!/^[+-]?\d+$/.test(value)) throw cannot(value, 'int');
  const whole = BigInt(value.replace(/^\+/, ''));
  if (whole < -(2n ** 63n) || whole >= 2n ** 63n) throw cannot(value, 'int');
  return whole;
}

function toUint([value]: readonly Value[]): Value {
  if (value instanceof Uint) return value;
  if (typeof value === 'bigint') return new Uint(unsigned(value));
  if (typeof value === 'number') {
    if (!(value >= 0 && value < 2 ** 64)) throw new EvaluationError('unsigned integer overflow');
    return new Uint(BigInt(Math.trunc(value)));
  }
  if (typeof value !== 'string') throw noSuchOverload();
  if (!/^\d+$/.test(value) || BigInt(value) >= 2n ** 64n) throw cannot(value, 'uint');
  return new Uint(BigInt(value));
}

function toDouble([value]: readonly Value[]): Value {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Uint) return Number(value.value);
  if (typeof value !== 'string') throw noSuchOverload();
  const [, sign, word] = /^([+-]?)(inf|infinity|nan)$/i.exec(value) ?? [];
  if (word) return /^n/i.test(word) ? Number.NaN : sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (!/^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(value)) throw cannot(value, 'double');
  return Number(value);
}

export function toText(value: Value): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'boolean':
    case 'bigint':
      return String(value);
    case 'number':
      return doubleText(value);
  }
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Duration) return durationText(value.nanos);
  if (value instanceof Timestamp) return timeText(value.nanos);
  if (value instanceof TypeValue) return value.type.name;
  if (value instanceof Uint8Array) {
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value);
    } catch (cause) {
      throw new EvaluationError('invalid UTF-8 in bytes, cannot convert to string', { cause });
    }
  }
  throw noSuchOverload();
}

/** Go's `%g`, with as many digits as needed. */
function doubleText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (Object.is(value, -0)) return '-0';
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 21)
    return power < 0 ? value.toFixed(Math.max(0, digits.replace(/[-.]/g, '').length - 1 - power)) : String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

function toBytes([value]: readonly Value[]): Value {
  if (value instanceof Uint8Array) return value;
  if (typeof value === 'string') return Buffer.from(value);
  throw noSuchOverload();
}

function toDuration([value]: readonly Value[]): Value {
  if (value instanceof Duration) return value;
  if (typeof value === 'bigint') return new Duration(value);
  if (typeof value !== 'string') throw noSuchOverload();
  const nanos = parseDuration(value);
  if (nanos === undefined) throw cannot(value, 'google.protobuf.Duration');
  return new Duration(nanos);
}

function toTimestamp([value]: readonly Value[]): Value {
  if (value instanceof Timestamp) return value;
  if (typeof value === 'bigint') return new Timestamp(value * 1_000_000_000n);
  if (typeof value !== 'string') throw noSuchOverload();
  const nanos = parseTime(value);
  if (nanos === undefined) throw cannot(value, 'google.protobuf.Timestamp');
  return new Timestamp(nanos);
}

const from = (result: types.Type, ...named: [string, types.Type][]) =>
  named.map(([id, type]) => free(id, [type], result));

type Parts = { date: Date; nanos: number };
const dayOfYear = ({ date }: Parts): number =>
  Math.floor(
    (Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()) - Date.UTC(date.getUTCFullYear(), 0)) /
      86_400_000,
  );

/** A part of a timestamp, in UTC or in a zone; or a duration in that unit. */
function part(name: string, read: (parts: Parts) => number, perUnit?: bigint): FunctionDeclaration {
  const overloads = [
    member(`timestamp_to_${name}`, [timestamp], int),
    member(`timestamp_to_${name}_with_tz`, [timestamp, string], int),
    ...(perUnit ? [member(`duration_to_${name}`, [duration], int)] : []),
  ];
  return declare(overloads, ([value, zone]) => {
    if (value instanceof Duration && perUnit) return value.nanos / perUnit;
    if (!(value instanceof Timestamp)) throw noSuchOverload();
    return BigInt(read(inZone(value.nanos, zone === undefined ? undefined : String(zone))));
  });
}

export const conversions: Library = {
  type: declare([free('type', [a], types.typeOfType(a))], ([value]) => new TypeValue(typeOf(value!))),
  dyn: declare([free('to_dyn', [a], dyn)], ([value]) => value!),
  bool: declare(from(bool, ['bool_to_bool', bool], ['string_to_bool', string]), toBool),
  bytes: declare(from(bytes, ['bytes_to_bytes', bytes], ['string_to_bytes', string]), toBytes),
  double: declare(
    from(
      double,
      ['double_to_double', double],
      ['int64_to_double', int],
      ['string_to_double', string],
      ['uint64_to_double', uint],
    ),
    toDouble,
  ),
  duration: declare(
    from(duration, ['duration_to_duration', duration], ['int64_to_duration', int], ['string_to_duration', string]),
    toDuration,
  ),
  int: declare(
    from(
      int,
      ['int64_to_int64', int],
      ['double_to_int64', double],
      ['duration_to_int64', duration],
      ['string_to_int64', string],
      ['timestamp_to_int64', timestamp],
      ['uint64_to_int64', uint],
    ),
    toInt,
  ),
  string: declare(
    from(
      string,
      ['string_to_string', string],
      ['bool_to_string', bool],
      ['bytes_to_string', bytes],
      ['double_to_string', double],
      ['duration_to_string', duration],
      ['int64_to_string', int],
      ['timestamp_to_string', timestamp],
      ['uint64_to_string', uint],
    ),
    ([value]) => toText(value!),
  ),
  timestamp: declare(
    from(
      timestamp,
      ['timestamp_to_timestamp', timestamp],
      ['int64_to_timestamp', int],
      ['string_to_timestamp', string],
    ),
    toTimestamp,
  ),
  uint: declare(
    from(
      uint,
      ['uint64_to_uint64', uint],
      ['double_to_uint64', double],
      ['int64_to_uint64', int],
      ['string_to_uint64', string],
    ),
    toUint,
  ),
  getFullYear: part('year', ({ date }) => date.getUTCFullYear()),
  getMonth: part('month', ({ date }) => date.getUTCMonth()),
  getDayOfYear: part('day_of_year', dayOfYear),
  getDayOfMonth: part('day_of_month', ({ date }) => date.getUTCDate() - 1),
  getDate: part('day_of_month_1_based', ({ date }) => date.getUTCDate()),
  getDayOfWeek: part('day_of_week', ({ date }) => date.getUTCDay()),
  getHours: part('hours', ({ date }) => date.getUTCHours(), 3_600_000_000_000n),
  getMinutes: part('minutes', ({ date }) => date.getUTCMinutes(), 60_000_000_000n),
  getSeconds: part('seconds', ({ date }) => date.getUTCSeconds(), 1_000_000_000n),
  getMilliseconds: part('milliseconds', ({ nanos }) => Math.floor(nanos / 1_000_000), 1_000_000n),
};

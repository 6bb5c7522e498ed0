/** Writes the JSON of messages whose Go types have a MarshalJSON of their own. */

import { parseQuantity, QuantityError, rewrittenQuantity } from '../quantity.ts';
import type { Message } from './decode.ts';
import { goText } from './text.ts';
import { WireError } from './wire.ts';

/** Go's times span the whole Gregorian calendar; Date knows only part of it. */
const secondsPer400Years = 146_097n * 86_400n;
/** 0001-01-01T00:00:00Z, Go's zero time. */
const zeroTime = -62_135_596_800n;

const millisecondsPart = /\.\d+Z$/;

function calendar(seconds: bigint): string {
  const inCycle = ((seconds % secondsPer400Years) + secondsPer400Years) % secondsPer400Years;
  const cycles = (seconds - inCycle) / secondsPer400Years;
  const date = new Date(Number(inCycle) * 1000);
  const year = cycles * 400n + BigInt(date.getUTCFullYear());
  const digits = String(year < 0n ? -year : year).padStart(4, '0');
  return `${year < 0n ? '-' : ''}${digits}${date.toISOString().slice(4).replace(millisecondsPart, '')}`;
}

/** RFC 3339 in UTC, whole seconds; zero is null. */
export function timeJson({ values, bare }: Message): string {
  const seconds = (values[0] as bigint | undefined) ?? 0n;
  return bare || seconds === zeroTime ? 'null' : `"${calendar(seconds)}Z"`;
}

/** The same with microseconds. Nanoseconds may be negative or more than a second. */
export function microTimeJson({ values, bare }: Message): string {
  const nanoseconds = BigInt((values[1] as number | undefined) ?? 0);
  const all = ((values[0] as bigint | undefined) ?? 0n) * 1_000_000n + nanoseconds / 1_000n;
  const micros = ((all % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = (all - micros) / 1_000_000n;
  if (bare || (seconds === zeroTime && micros === 0n)) return 'null';
  return `"${calendar(seconds)}.${String(micros).padStart(6, '0')}Z"`;
}

/** Far beyond any meaningful quantity; reading a million digits would take long. */
const longestQuantity = 256;
const quantityShape = /^[+-]?(?:\d+(?:\.\d*)?|\.\d*)?(?:[eEinumkKMGTP]+[-+]?\d*|[-+]\d*)?$/;

const wrongQuantity = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** Throws unless the value is a quantity or absent. */
export function checkQuantity({ values: [text = '0'] }: Message): void {
  const read = String(text);
  if (read.length > longestQuantity) throw new WireError(wrongQuantity);
  try {
    parseQuantity(read);
  } catch (cause) {
    if (!(cause instanceof QuantityError)) throw cause;
    const isSuffix = read !== '' && quantityShape.test(read);
    throw new WireError(isSuffix ? "unable to parse quantity's suffix" : wrongQuantity, { cause });
  }
}

export const quantityJson = ({ values: [text = '0'] }: Message): string =>
  JSON.stringify(rewrittenQuantity(String(text)));

export function intOrStringJson({ values }: Message): string {
  const [type = 0n, number = 0, text = ''] = values as [bigint?, number?, string?];
  if (type === 0n) return String(number);
  if (type === 1n) return JSON.stringify(text);
  throw new WireError('impossible IntOrString.Type');
}

/** JSON that is carried as bytes is copied unchanged. */
export function rawJson({ type, values }: Message): string {
  const [raw] = values as (Buffer | undefined)[];
  // An empty extension is an error; other empty values are null.
  if (raw === undefined || (raw.length === 0 && type.form === 'raw')) return 'null';
  const text = goText(raw);
  try {
    JSON.parse(text);
  } catch (cause) {
    throw new WireError(`${type.name} is not JSON`, { cause });
  }
  return text;
}

export function doubleJson(value: number): string {
  if (!Number.isFinite(value)) throw new WireError(`json: unsupported value: ${value}`);
  return Object.is(value, -0) ? '-0' : String(value);
}

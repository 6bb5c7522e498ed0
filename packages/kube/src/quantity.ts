/** Parses and formats Kubernetes quantities (`250m`, `1.5Gi`, `2e3`): exact, in billionths, in canonical form. */

export type QuantityFormat = 'decimal' | 'binary' | 'exponent';

export interface Quantity {
  /** Billionths, the finest resolution in Kubernetes. */
  nano: bigint;
  format: QuantityFormat;
}

export class QuantityError extends Error {}

const nanoDigits = 9;
const nanoPerUnit = 10n ** BigInt(nanoDigits);
const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
/** Larger binary values are capped to it, as in Kubernetes. */
const largestBinary = (2n ** 63n - 1n) * nanoPerUnit;
/** Prevents that a hostile exponent makes numbers of a million digits. */
const longestExponent = 1_000;

/** Far beyond any meaningful quantity; sums over a million digits would take long. */
const longestText = 1_024;

/** The pattern is unambiguous: a second way to split the digits would take quadratic time. */
const pattern = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)([a-zA-Z]?|[KMGTPE]i|[eE][+-]?\d+)$/;

export function parseQuantity(text: string): Quantity {
  const [, sign, number = '', suffix = ''] = text.length > longestText ? [] : (pattern.exec(text) ?? []);
  const scale = scaleOf(suffix);
  if (sign === undefined || scale === undefined) throw new QuantityError(`"${text}" is not a quantity`);
  const [whole = '', fraction = ''] = number.split('.');
  const digits = BigInt(whole + fraction) * scale.factor;
  const magnitude = shifted(digits, nanoDigits + scale.tens - fraction.length);
  const capped = scale.format === 'binary' && magnitude > largestBinary ? largestBinary : magnitude;
  // Values below one have no readable binary form.
  const format = scale.format === 'binary' && capped < nanoPerUnit ? 'decimal' : scale.format;
  return { nano: sign === '-' ? -capped : capped, format };
}

interface Scale {
  format: QuantityFormat;
  factor: bigint;
  /** An additional power of ten. */
  tens: number;
}

function scaleOf(suffix: string): Scale | undefined {
  const decimal = decimalSuffixes.indexOf(suffix);
  if (decimal >= 0) return { format: 'decimal', factor: 1n, tens: (decimal - 3) * 3 };
  const binary = binarySuffixes.indexOf(suffix);
  if (binary >= 0) return { format: 'binary', factor: 1024n ** BigInt(binary), tens: 0 };
  if (!/^[eE][+-]?\d+$/.test(suffix)) return undefined;
  const exponent = Math.max(-longestExponent, Math.min(longestExponent, Number(suffix.slice(1))));
  return { format: 'exponent', factor: 1n, tens: exponent };
}

/** `digits` times a power of ten; fractions of a billionth are rounded up, so that a non-zero value never becomes zero. */
function shifted(digits: bigint, tens: number): bigint {
  if (tens >= 0) return digits * 10n ** BigInt(tens);
  const divisor = 10n ** BigInt(-tens);
  return (digits + divisor - 1n) / divisor;
}

/** In the format of the first, unless that is zero. */
export const addQuantities = (a: Quantity, b: Quantity): Quantity => ({
  nano: a.nano + b.nano,
  format: a.nano === 0n ? b.format : a.format,
});

export const largerQuantity = (a: Quantity, b: Quantity): Quantity => (b.nano > a.nano ? b : a);

/** Writes no fraction, loses no precision, and uses the largest suffix that allows both. */
export function formatQuantity({ nano, format }: Quantity): string {
  if (nano === 0n) return '0';
  const size = nano < 0n ? -nano : nano;
  // Small or fractional numbers would lose precision, or readability, in powers of two.
  const binary = format === 'binary' && size >= 1024n * nanoPerUnit && nano % nanoPerUnit === 0n;
  return binary ? inPowers(nano / nanoPerUnit, 1024n, binarySuffixes) : inThousands(nano, format);
}

const inThousands = (nano: bigint, format: QuantityFormat): string =>
  format === 'exponent' ? inExponents(nano) : inPowers(nano, 1000n, decimalSuffixes);

function inExponents(nano: bigint): string {
  let rest = nano;
  let tens = -nanoDigits;
  for (; rest % 1000n === 0n; rest /= 1000n) tens += 3;
  return tens === 0 ? `${rest}` : `${rest}e${tens}`;
}

function inPowers(value: bigint, base: bigint, suffixes: readonly string[]): string {
  let rest = value;
  let power = 0;
  while (power < suffixes.length - 1 && rest % base === 0n) {
    rest /= base;
    power++;
  }
  return `${rest}${suffixes[power]}`;
}

const longestKept = { decimal: 18, exponent: 18, binary: 14 };

/** What Kubernetes writes for a quantity that it has read: the original text if it already looks canonical, else the canonical form. */
export function rewrittenQuantity(text: string): string {
  return text === '0' || looksCanonical(text) ? text : formatQuantity(parseQuantity(text));
}

function looksCanonical(text: string): boolean {
  const [, , number = '', suffix = ''] = pattern.exec(text) ?? [];
  const scale = scaleOf(suffix);
  if (!scale) return false;
  const [whole = '', fraction = ''] = number.split('.');
  const digits = (whole.replace(/^0+/, '') || '0') + fraction;
  if (scale.format === 'binary') {
    const decimals = binarySuffixes.indexOf(suffix) * 3;
    return number === whole && digits.length + decimals <= longestKept.binary && BigInt(digits) % 8n !== 0n;
  }
  const tens = scale.tens - fraction.length;
  const isShort = digits.length <= longestKept[scale.format] && tens >= -nanoDigits;
  return isShort && tens % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
}

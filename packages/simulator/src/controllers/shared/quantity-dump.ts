/** Go's internal form of a stored quantity: `apimachinery/pkg/api/resource/quantity.go`, ParseQuantity. */

const decimal: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const binary: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

/** So many digits always fit 64 bits. */
const mostDigits = 18;

interface Parsed {
  value: bigint;
  scale: number;
  format: 'DecimalSI' | 'BinarySI' | 'DecimalExponent';
  /** Go keeps the text if it is the shortest form. */
  text: string;
  /** It may not fit 64 bits. */
  isLarge: boolean;
}

export function quantityDump(text: string): string {
  const { value, scale, format, text: kept, isLarge } = parsed(text);
  const small = isLarge ? [0n, 0] : [value, scale];
  const amount = `(resource.int64Amount){value:(int64)${small[0]} scale:(resource.Scale)${small[1]}}`;
  const large = isLarge ? largeDump(value, scale) : '<nil>';
  return `{i:${amount} d:(resource.infDecAmount){Dec:(*inf.Dec)${large}} s:(string)${kept} Format:(resource.Format)${format}}`;
}

/** In billionths, as a list of machine words. */
function largeDump(value: bigint, scale: number): string {
  const unscaledValue = value * 10n ** BigInt(Math.max(0, 9 + scale));
  const words: bigint[] = [];
  for (let left = value < 0n ? -unscaledValue : unscaledValue; left > 0n; left >>= 64n)
    words.push(BigInt.asUintN(64, left));
  const unscaled = `(big.Int){neg:(bool)${value < 0n} abs:(big.nat)${words.length > 0 ? `[${words.join(' ')}]` : '<nil>'}}`;
  return `{unscaled:${unscaled} scale:(inf.Scale)9}`;
}

function parsed(text: string): Parsed {
  if (text === '0') return { value: 0n, scale: 0, format: 'DecimalSI', text, isLarge: false };
  const [, sign = '', whole = '0', fraction = '', suffix = ''] =
    /^([+-]?)(\d*)(?:\.(\d*))?([a-zA-Z][\w+-]*)?$/.exec(text) ?? [];
  // Leading zeros, and trailing ones of a fraction, are cut off.
  const [number, rest] = [whole.replace(/^0+/, '') || '0', fraction];
  const digits = `${number}${rest}`;
  const signed = (value: bigint) => (sign === '-' ? -value : value);
  const power = binary[suffix];
  if (power !== undefined && rest === '') {
    const isLarge = 15 - number.length - Math.floor((power * 3) / 10) - 1 < 0;
    const isKept = !isLarge && (BigInt(digits) & 7n) !== 0n;
    const value = signed(BigInt(digits) << BigInt(power));
    return { value, scale: 0, format: 'BinarySI', text: isKept ? text : '', isLarge };
  }
  const exponent = /^[eE]([+-]?\d+)$/.exec(suffix)?.[1];
  const scale = (exponent === undefined ? (decimal[suffix] ?? 0) : Number(exponent)) - rest.length;
  const isLarge = digits.length > mostDigits;
  const isKept = !isLarge && scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
  const format = exponent === undefined ? 'DecimalSI' : 'DecimalExponent';
  return { value: signed(BigInt(digits)), scale, format, text: isKept ? text : '', isLarge };
}

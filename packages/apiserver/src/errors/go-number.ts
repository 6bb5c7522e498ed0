/** Formats a number with Go's `%v`: floats get an exponent earlier than in JavaScript, of at least two digits. */
export function goNumber(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  const long = value.toExponential();
  const power = Number(long.slice(long.indexOf('e') + 1));
  return power < -4 || power >= 6 ? long.replace(/e([+-])(\d)$/, 'e$10$2') : String(value);
}

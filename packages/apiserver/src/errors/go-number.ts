/** `%v` of a number: what no integer of JSON is has an exponent sooner than in JavaScript, of two digits at least. */
export function goNumber(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  const long = value.toExponential();
  const power = Number(long.slice(long.indexOf('e') + 1));
  return power < -4 || power >= 6 ? long.replace(/e([+-])(\d)$/, 'e$10$2') : String(value);
}

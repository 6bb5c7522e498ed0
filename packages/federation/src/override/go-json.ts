/** JSON as Go writes it into annotations and ConfigMaps, and reads it without touching a number. */

/** Of ES2026; TypeScript does not know them yet. */
const json = JSON as unknown as {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): unknown;
};

/** What JavaScript would write differently, such as `1.0`, keeps its digits. */
export const parseExactly = (text: string): unknown =>
  json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? json.rawJSON(source) : value,
  );

/** Go's encoder escapes what could end a script or a line. */
export const goJsonText = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

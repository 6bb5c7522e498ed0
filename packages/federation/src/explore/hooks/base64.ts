/** Base64 as Go reads it: the standard alphabet, padded, with line breaks between. Undefined for anything else. */

const alphabet = /^[A-Za-z0-9+/]*$/;

export function decodeBase64(text: string): Buffer | undefined {
  const joined = text.replaceAll(/[\r\n]/g, '');
  const padding = joined.endsWith('==') ? 2 : joined.endsWith('=') ? 1 : 0;
  if (joined.length % 4 !== 0 || !alphabet.test(joined.slice(0, joined.length - padding))) return undefined;
  return Buffer.from(joined, 'base64');
}

/** Writes a header `Warning: 299 - "text"`, which Kubernetes clients show to the user. */

/** A header cannot hold control characters, and quotes would end the text. Node sends latin1, so UTF-8 bytes are passed as such. */
export const warningHeader = (text: string): string => {
  const quoted = text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go
    .replace(/[\u0000-\u001f\u007f]+/g, ' ')
    .replace(/(["\\])/g, '\\$1');
  return Buffer.from(`299 - "${quoted}"`, 'utf8').toString('latin1');
};

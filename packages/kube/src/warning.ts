/** `Warning: 299 - "text"`: how Kubernetes tells people things beside the answer. */

/** Control characters cannot stand in a header, and quotes end the text. Its bytes are UTF-8, which Node takes as latin1. */
export const warningHeader = (text: string): string => {
  const quoted = text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go
    .replace(/[\u0000-\u001f\u007f]+/g, ' ')
    .replace(/(["\\])/g, '\\$1');
  return Buffer.from(`299 - "${quoted}"`, 'utf8').toString('latin1');
};

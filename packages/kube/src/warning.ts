/** `Warning: 299 - "text"`: how Kubernetes tells people things beside the answer. */

/** Control characters cannot stand in a header, and quotes end the text. */
export const warningHeader = (text: string): string =>
  `299 - "${text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go
    .replace(/[\u0000-\u001f\u007f]+/g, ' ')
    .replace(/(["\\])/g, '\\$1')}"`;

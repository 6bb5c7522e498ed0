/** The texts of a header such as `299 - "one", 299 - "another"`. */
export function warningTexts(header: string): string[] {
  return [...header.matchAll(/299 [^ "]+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text.replace(/\\(.)/g, '$1'));
}

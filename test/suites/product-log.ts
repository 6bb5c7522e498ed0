/** The log of the product as JSON lines. */

const isUnexpected = (line: string): boolean =>
  !line.startsWith('{') || ['error', 'fatal'].includes((JSON.parse(line) as { level: string }).level);

/** Errors, and what is no line of the log. */
export const unexpectedLines = (log: string): string[] => log.trim().split('\n').filter(isUnexpected);

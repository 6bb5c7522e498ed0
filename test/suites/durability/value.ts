/** The value that belongs to a key: its own text, easy to find in a trace of system calls, and some more. */
export const valueFor = (key: string): string => `<value of ${key}>`.padEnd(500, '.');

/** Whether a value that was read from JSON or YAML is an object, neither null nor a list. */

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

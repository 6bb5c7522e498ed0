/** Whether a value from JSON or YAML is an object, and neither null nor a list. */

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

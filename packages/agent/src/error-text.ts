/** The message of an error, with that of its cause if it explains more, such as a proxy's refusal. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  const text = error.message || code || error.name;
  return error.cause === undefined ? text : `${text}: ${errorText(error.cause)}`;
}

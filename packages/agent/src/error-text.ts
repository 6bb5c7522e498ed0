/** What an error says, with the cause that says more: a proxy's refusal, or why a host cannot be connected. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  const text = error.message || code || error.name;
  return error.cause === undefined ? text : `${text}: ${errorText(error.cause)}`;
}

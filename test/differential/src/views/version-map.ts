/** The version of a merged list over one cluster: `{"m1":"123"}` in base64url (RV-2). */

export const versionMap = (cluster: string, version: string): string =>
  Buffer.from(JSON.stringify({ [cluster]: version })).toString('base64url');

/** The cluster's entry, where the text is a map of this cluster alone. */
export function versionOf(text: string, cluster: string): string | undefined {
  try {
    const entries = Object.entries(JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>);
    const [[name, version] = []] = entries;
    return entries.length === 1 && name === cluster && typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}

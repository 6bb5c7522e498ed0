/** The version of a merged list: `{"m1":"123"}` in base64url (RV-2). */

export const versionMap = (clusters: readonly string[], version: string): string =>
  Buffer.from(JSON.stringify(Object.fromEntries(clusters.map((one) => [one, version])))).toString('base64url');

/** The cluster's entry, where the text is a map that has one. */
export function versionOf(text: string, cluster: string): string | undefined {
  try {
    const version = (JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown> | null)?.[
      cluster
    ];
    return typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}

import { rewriteJson } from '../normalise/json-text.ts';

/** Rewrites the strings of a JSON text and leaves all else as it stands. Throws SyntaxError where it is not JSON. */
export function rewriteStrings(json: string, edit: (path: readonly string[], text: string) => string): string {
  return rewriteJson(json, {
    whole: () => undefined,
    key: (raw) => raw,
    scalar: (path, raw) => {
      if (!raw.startsWith('"')) return raw;
      const text = JSON.parse(raw) as string;
      const put = edit(path, text);
      return put === text ? raw : JSON.stringify(put);
    },
  });
}

/** What an answer contains about itself. */
export interface Answered {
  readonly kind?: string;
  readonly details?: { readonly kind?: string; readonly name?: string };
  readonly columnDefinitions?: readonly { readonly name: string; readonly format: string }[];
}

/** An answer, or the object of an event; undefined where the text is not JSON. */
export function answered(text: string): Answered | undefined {
  try {
    const value = JSON.parse(text) as (Answered & { object?: Answered }) | null;
    return value?.object ?? value ?? undefined;
  } catch {
    return undefined;
  }
}

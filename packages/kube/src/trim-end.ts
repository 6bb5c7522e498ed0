/** A text without what it ends in, in time linear in its length: a pattern such as `0+$` begins anew at every sign. */

export function withoutEnding(text: string, isEnding: (sign: string) => boolean): string {
  let end = text.length;
  while (end > 0 && isEnding(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** Removes a trailing text in linear time: a pattern such as `0+$` restarts at every character. */

export function withoutEnding(text: string, isEnding: (sign: string) => boolean): string {
  let end = text.length;
  while (end > 0 && isEnding(text[end - 1]!)) end--;
  return text.slice(0, end);
}

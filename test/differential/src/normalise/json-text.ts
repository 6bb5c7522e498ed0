/**
 * Rewrites single values of a JSON text and leaves all else as it stands: spaces, order of keys, escapes, spelling of
 * numbers. So two texts can be compared byte by byte once the values that must differ are replaced.
 */

export interface Rewriter {
  /** Called at each value: a function here replaces the whole value. */
  whole(path: readonly string[]): ((raw: string) => string) | undefined;
  /** Called for each key. */
  key(raw: string): string;
  /** Called for each string, number, true, false, null. */
  scalar(path: readonly string[], raw: string): string;
}

/** Throws SyntaxError where the text is not JSON. */
export function rewriteJson(text: string, rewriter: Rewriter): string {
  JSON.parse(text); // judges the syntax, so that the walk below may be simple
  const path: string[] = [];
  let out = '';
  let at = 0;

  const space = (): void => {
    const from = at;
    while (' \n\r\t'.includes(text[at] ?? 'x')) at++;
    out += text.slice(from, at);
  };
  const punctuation = (): string => {
    const sign = text[at++] ?? '';
    out += sign;
    return sign;
  };
  const string = (): string => {
    const from = at;
    for (at++; text[at] !== '"'; at++) if (text[at] === '\\') at++;
    return text.slice(from, ++at);
  };
  const skip = (): string => {
    const kept = out;
    const from = at;
    walk({ whole: () => undefined, key: (raw) => raw, scalar: (_, raw) => raw });
    out = kept;
    return text.slice(from, at);
  };

  const members = (close: string, by: Rewriter): void => {
    punctuation();
    for (let index = 0; ; index++) {
      space();
      if (text[at] === close) break;
      if (close === '}') {
        const key = string();
        path.push(JSON.parse(key) as string);
        out += by.key(key);
        space();
        punctuation();
        space();
      } else {
        path.push(String(index));
      }
      walk(by);
      path.pop();
      space();
      if (text[at] === ',') punctuation();
    }
    punctuation();
  };

  const walk = (by: Rewriter): void => {
    const replace = by.whole(path);
    if (replace) {
      out += replace(skip());
      return;
    }
    const first = text[at];
    if (first === '{') members('}', by);
    else if (first === '[') members(']', by);
    else if (first === '"') out += by.scalar(path, string());
    else {
      const from = at;
      while (at < text.length && !',]} \n\r\t'.includes(text[at] ?? '')) at++;
      out += by.scalar(path, text.slice(from, at));
    }
  };

  space();
  walk(rewriter);
  space();
  return out;
}

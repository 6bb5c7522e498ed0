/** Parses URLs as Go's `net/url` does. */

export interface GoUrl {
  scheme: string;
  host: string;
  /** As in the source. */
  path: string;
  query: string;
  fragment: string;
}

export class UrlError extends Error {}

const hexEscape = /%(?![0-9a-fA-F]{2})/;

/** As checked by `url.ParseRequestURI` and parsed by `url.Parse`. */
export function parseUrl(text: string): GoUrl {
  const fail = (why: string): never => {
    throw new UrlError(`parse ${JSON.stringify(text)}: ${why}`);
  };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are refused
  if (/[\x00-\x1f\x7f]/.test(text)) fail('net/url: invalid control character in URL');
  if (text === '') fail('empty url');
  const { scheme, rest } = schemeOf(text, fail);
  const [beforeFragment = '', ...fragment] = rest.split('#');
  const [whole = '', ...queries] = beforeFragment.split('?');
  const query = queries.join('?');
  const common = { scheme, query, fragment: fragment.join('#') };
  if (!rest.startsWith('/')) {
    if (scheme === '') fail('invalid URI for request');
    return { ...common, host: '', path: '' };
  }
  if (scheme === '' || !whole.startsWith('//')) {
    checkEscapes(whole, fail);
    return { ...common, host: '', path: whole };
  }
  const slash = whole.indexOf('/', 2);
  const authority = slash < 0 ? whole.slice(2) : whole.slice(2, slash);
  const path = slash < 0 ? '' : whole.slice(slash);
  checkEscapes(path, fail);
  return { ...common, host: hostOf(authority, fail), path };
}

function schemeOf(text: string, fail: (why: string) => never): { scheme: string; rest: string } {
  const [, before = '', sign] = /^([a-zA-Z0-9+.-]*)([\s\S]?)/.exec(text) ?? [];
  if (sign !== ':') return { scheme: '', rest: text };
  if (before === '') return fail('missing protocol scheme');
  if (!/^[a-zA-Z]/.test(before)) {
    return /^[0-9+.-]/.test(before)
      ? fail('first path segment in URL cannot contain colon')
      : fail('invalid URI for request');
  }
  return { scheme: before.toLowerCase(), rest: text.slice(before.length + 1) };
}

function checkEscapes(text: string, fail: (why: string) => never): void {
  const at = text.search(hexEscape);
  if (at >= 0) fail(`invalid URL escape ${JSON.stringify(text.slice(at, at + 3))}`);
}

function hostOf(authority: string, fail: (why: string) => never): string {
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (host.startsWith('[')) {
    const close = host.lastIndexOf(']');
    if (close < 0) fail("missing ']' in host");
    const port = host.slice(close + 1);
    if (!/^(:\d*)?$/.test(port)) fail(`invalid port ${JSON.stringify(port)} after host`);
    return host;
  }
  const colon = host.lastIndexOf(':');
  if (colon >= 0 && !/^:\d*$/.test(host.slice(colon)))
    fail(`invalid port ${JSON.stringify(host.slice(colon))} after host`);
  const odd = /[ "<>\\^`{|}]/.exec(host);
  if (odd) fail(`invalid character ${JSON.stringify(odd[0])} in host name`);
  checkEscapes(host, fail);
  return host;
}

export const hostnameOf = ({ host }: GoUrl): string =>
  host.startsWith('[') ? host.slice(1, host.indexOf(']')) : host.replace(/:\d*$/, '');

export const portOf = ({ host }: GoUrl): string => /:(\d*)$/.exec(host.slice(host.lastIndexOf(']') + 1))?.[1] ?? '';

/** Names with all their values; invalid parts are left out. */
export function queryOf({ query }: GoUrl): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';') || hexEscape.test(pair)) continue;
    const at = pair.indexOf('=');
    const [name, value] = (at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]).map((part) =>
      unescaped(part.replaceAll('+', ' ')),
    ) as [string, string];
    found.set(name, [...(found.get(name) ?? []), value]);
  }
  return found;
}

const unescaped = (text: string): string =>
  Buffer.from(
    text.replace(
      /%([0-9a-fA-F]{2})|([^%]+)/g,
      (_, hex?: string, plain?: string) => hex ?? Buffer.from(plain!).toString('hex'),
    ),
    'hex',
  ).toString();

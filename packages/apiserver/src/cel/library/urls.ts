/** The library of URLs. */

import type { Library } from '../environment.ts';
import * as types from '../types.ts';
import { EvaluationError, Foreign, noSuchOverload, PlainList, PlainMap, type Value } from '../values.ts';
import { asText, declare, free, member } from './declare.ts';
import { type GoUrl, hostnameOf, parseUrl, portOf, queryOf, UrlError } from './url.ts';

const { bool, list, map, string, struct } = types;
const url = struct('kubernetes.URL');

class UrlValue extends Foreign {
  readonly type = url;
  readonly parsed: GoUrl;
  constructor(parsed: GoUrl) {
    super();
    this.parsed = parsed;
  }
  equals(other: Foreign): boolean {
    return other instanceof UrlValue && JSON.stringify(this.parsed) === JSON.stringify(other.parsed);
  }
}

function parsed(text: string): GoUrl | UrlError {
  try {
    return parseUrl(text);
  } catch (error) {
    if (error instanceof UrlError) return error;
    throw error;
  }
}

function toUrl([text]: readonly Value[]): Value {
  const found = parsed(asText(text));
  if (found instanceof UrlError) {
    throw new EvaluationError(`URL parse error during conversion from string: ${found.message}`);
  }
  return new UrlValue(found);
}

const part = (id: string, read: (parsed: GoUrl) => string) =>
  declare([member(id, [url], string)], ([value]) => {
    if (!(value instanceof UrlValue)) throw noSuchOverload();
    return read(value.parsed);
  });

function query([value]: readonly Value[]): Value {
  if (!(value instanceof UrlValue)) throw noSuchOverload();
  return new PlainMap([...queryOf(value.parsed)].map(([name, values]) => [name, new PlainList(values)] as const));
}

export const urls: Library = {
  url: declare([free('string_to_url', [string], url)], toUrl),
  isURL: declare([free('is_url_string', [string], bool)], ([text]) => !(parsed(asText(text)) instanceof UrlError)),
  getScheme: part('url_get_scheme', ({ scheme }) => scheme),
  getHost: part('url_get_host', ({ host }) => host),
  getHostname: part('url_get_hostname', hostnameOf),
  getPort: part('url_get_port', portOf),
  getEscapedPath: part('url_get_escaped_path', ({ path }) => path),
  getQuery: declare([member('url_get_query', [url], map(string, list(string)))], query),
};

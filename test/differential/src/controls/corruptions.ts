/** The spoilings that every run must find; each happens once. */
import type { Corruption, Exchange, Spoiling } from './corrupting-proxy.ts';

const isWatch = ({ url }: Exchange) => /[?&]watch=/.test(url);
const isJson = ({ headers }: Exchange) => headers['content-type'] === 'application/json';
const isList = (exchange: Exchange) =>
  exchange.method === 'GET' &&
  exchange.status === 200 &&
  /\/configmaps(\?|$)/.test(exchange.url) &&
  isJson(exchange) &&
  !isWatch(exchange);

function once(fits: (exchange: Exchange) => boolean, spoiling: () => Spoiling): () => Corruption {
  return () => {
    let done = false;
    return (exchange) => {
      // the ground of a run is laid through the proxy, too; its answers are not compared
      if (done || exchange.agent !== 'differential' || !fits(exchange)) return undefined;
      done = true;
      return spoiling();
    };
  };
}

/** Takes one event out of the first watch that shows one. */
function dropEvent(): Corruption {
  let dropped = false;
  const line = (text: string) => {
    if (dropped || !/"type":"(MODIFIED|DELETED)"/.test(text)) return text;
    dropped = true;
    return undefined;
  };
  return (exchange) => (isWatch(exchange) && exchange.status === 200 ? { line } : undefined);
}

function withoutOneItem(text: string): string {
  const list = JSON.parse(text) as { items?: unknown[]; rows?: unknown[] };
  (list.items ?? list.rows)?.pop();
  return JSON.stringify(list);
}

const inList = (spoiling: Spoiling) => once(isList, () => spoiling);
const isCreated = (exchange: Exchange) => exchange.status === 201 && exchange.url.includes('/configmaps');
const isMissing = (exchange: Exchange) => exchange.status === 404 && isJson(exchange);

export const corruptions: Readonly<Record<string, () => Corruption>> = {
  'an event missing from a watch': dropEvent,
  'an item missing from a list': inList({ body: withoutOneItem }),
  'another status code': once(isCreated, () => ({ status: 200 })),
  'another reason': once(isMissing, () => ({ body: (text) => text.replace('"NotFound"', '"Gone"') })),
  'another content type': inList({ headers: { 'content-type': 'application/json;charset=utf-8' } }),
  'a warning more': inList({ headers: { warning: '299 - "beware"' } }),
  'a body cut short': inList({ body: (text) => text.slice(0, -20) }),
  'a connection cut in the body': inList({ cutAt: 30 }),
};

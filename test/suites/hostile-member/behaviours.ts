/** What a member that means harm answers, whatever it is asked. */

import type { IncomingMessage, ServerResponse } from 'node:http';

/** Answers a request, or leaves it to a member that is well. */
type Behaviour = (request: IncomingMessage, response: ServerResponse) => boolean;

const json = { 'content-type': 'application/json' };
const piece = Buffer.alloc(256 * 1024, 'x');

/** Asked all the time behind the scenes: a member that is wrong about them counts as not ready, and is asked no more. */
const isHealth = ({ url = '' }: IncomingMessage): boolean =>
  /^\/(readyz|healthz|version|api|apis|openapi)/.test(url) && !url.includes('/v1');

/** How an answer begins that has one text that does not end. */
function beginning({ url = '', method, headers }: IncomingMessage): string {
  if (method === 'POST')
    return '{"kind":"SelfSubjectAccessReview","apiVersion":"authorization.k8s.io/v1","status":{"reason":"';
  if (url.includes('watch=true')) return '{"type":"ADDED","object":{"metadata":{"name":"';
  if (!/\/pods(\?|$)/.test(url)) return '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"';
  const isTable = String(headers.accept).includes('as=Table');
  const metadata = '"metadata":{"resourceVersion":"1"}';
  return isTable
    ? `{"kind":"Table","apiVersion":"meta.k8s.io/v1",${metadata},"columnDefinitions":[],"rows":[{"cells":["`
    : `{"kind":"PodList","apiVersion":"v1",${metadata},"items":[{"metadata":{"name":"`;
}

const codeOf = ({ method }: IncomingMessage): number => (method === 'POST' ? 201 : 200);

/** As fast as it is taken. */
function pour(response: ServerResponse, left: number): void {
  for (let rest = left; rest > 0; rest -= piece.length) {
    if (response.destroyed) return;
    if (response.write(piece)) continue;
    response.once('drain', () => pour(response, rest - piece.length));
    return;
  }
  response.end('"}}]}');
}

const pouring =
  (bytes: number): Behaviour =>
  (request, response) => {
    if (isHealth(request)) return false;
    response.writeHead(codeOf(request), json);
    response.write(beginning(request));
    pour(response, bytes);
    return true;
  };

const endless = pouring(Number.POSITIVE_INFINITY);
const huge = pouring(64 * 1024 * 1024);

const drops = Buffer.from('1\r\nx\r\n'.repeat(10_000));

/** Bytes one by one, as fast as they are taken: each a chunk, put together once, as a sender has more to do with it than a reader. */
const drizzling: Behaviour = (request, response) => {
  if (isHealth(request)) return false;
  const { socket } = response;
  response.writeHead(codeOf(request), json);
  response.write(beginning(request));
  const drop = () => {
    if (!socket || socket.destroyed) return;
    if (socket.write(drops)) setImmediate(drop);
    else socket.once('drain', drop);
  };
  // Behind the head, which is sent at the end of this turn.
  setImmediate(drop);
  return true;
};

/** A head that has no end. */
const headless: Behaviour = (request, response) => {
  if (isHealth(request)) return false;
  const { socket } = response;
  socket?.write('HTTP/1.1 200 OK\r\n');
  const more = () => {
    if (!socket || socket.destroyed) return;
    if (socket.write(`x-a: ${'x'.repeat(64 * 1024)}\r\n`)) setImmediate(more);
    else socket.once('drain', more);
  };
  more();
  return true;
};

const texts = [
  '',
  'null',
  '[]',
  '5',
  '{"items":5}',
  '[[[[[[[[[[',
  '{"kind":{"a":1},"metadata":[],"status":7,"items":[null]}',
];

/** Not what was asked for, each time something else. */
const wrong = (): Behaviour => {
  let turn = 0;
  return (request, response) => {
    if (isHealth(request)) return false;
    response.writeHead(codeOf(request), json).end(texts[turn++ % texts.length]);
    return true;
  };
};

const slow: Behaviour = (request, response) => {
  if (isHealth(request)) return false;
  response.writeHead(codeOf(request), json);
  response.write(beginning(request));
  return true;
};

const redirecting =
  (to: string): Behaviour =>
  (request, response) => {
    if (isHealth(request)) return false;
    response.writeHead(307, { location: `${to}${request.url}` }).end();
    return true;
  };

/** Health, discovery and OpenAPI that do not end; the rest is well. */
const endlessHealth: Behaviour = (request, response) => {
  if (!isHealth(request)) return false;
  Object.defineProperty(request, 'url', { value: '/web/v1' });
  return endless(request, response);
};

/** An honest member's object, half a MiB in etcd: Go escapes `<` for the sake of browsers. */
const largeObject = `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web","namespace":"default"},"a":"${'\\u003c'.repeat(512 * 1024)}"}`;
export const largeObjectSize = largeObject.length;

const escaped: Behaviour = ({ url = '' }, response) => {
  if (!url.endsWith('/web')) return false;
  response.writeHead(200, json).end(largeObject);
  return true;
};

const well: Behaviour = () => false;

const named = { well, endless, huge, drizzling, headless, slow, escaped, 'endless health': endlessHealth };

/** What a member is ordered to do, in a message to its process. */
export type Conduct = keyof typeof named | 'wrong' | { redirectTo: string };

export function behaviourOf(conduct: Conduct): Behaviour {
  if (typeof conduct === 'object') return redirecting(conduct.redirectTo);
  return conduct === 'wrong' ? wrong() : named[conduct];
}

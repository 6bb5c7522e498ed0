/** Bodies, changes of protocol, and what HTTP/2 makes possible. */

import { configMap, configMaps, malformed, memberPath, message, post, type Row, refused } from './row.ts';

const create = `create ${configMaps}`;
const json = 'Content-Type: application/json';
const target = `${memberPath}${configMaps}`;

function* endless(): Iterable<string> {
  yield message([`POST ${target} HTTP/1.1`, 'Host: fleet', json, 'Transfer-Encoding: chunked']);
  for (let sent = 0; sent < 200; sent++) yield `100000\r\n${'x'.repeat(1 << 20)}\r\n`;
}

const trailed = configMap('trailed');

/** The answer can be lost, as the rest of the body is not read. */
const tooLarge = { answers: [[413, 'RequestEntityTooLarge']], orClosed: true } as const;

const bodies: Row[] = [
  ...(
    [
      ['a size that is none', 'zz\r\nabc\r\n0\r\n\r\n'],
      ['a negative size', '-3\r\nabc\r\n0\r\n\r\n'],
      ['a size beyond all numbers', 'fffffffffffffffffff\r\nabc\r\n0\r\n\r\n'],
    ] as const
  ).map(([what, body]) => ({
    name: `ERR-4: a chunk of ${what}`,
    bytes: post(target, [json, 'Transfer-Encoding: chunked'], body),
    answers: malformed,
  })),
  {
    name: 'ERR-4: a content type that is none',
    bytes: post(target, ['Content-Type: application/x-garbage', 'Content-Length: 2'], '{}'),
    answers: [[415, 'UnsupportedMediaType']],
    member1: [create],
    likeMember: true,
  },
  {
    name: 'ERR-4: a content type of garbage',
    bytes: post(target, ['Content-Type: ;;,/\\"', 'Content-Length: 2'], '{}'),
    answers: [[415, 'UnsupportedMediaType']],
    member1: [create],
    likeMember: true,
  },
  {
    name: 'ERR-4: a body that is no JSON',
    bytes: post(target, [json, 'Content-Length: 4'], '{{{{'),
    answers: refused,
    member1: [create],
    likeMember: true,
  },
  {
    name: 'LIMIT-1: a body of five megabytes',
    bytes: post(target, [json, 'Content-Length: 5000000'], 'x'.repeat(5_000_000)),
    ...tooLarge,
    member1: [create],
  },
  {
    name: 'LIMIT-1: a body without an end',
    bytes: endless,
    ...tooLarge,
    member1: [create],
  },
  {
    name: 'IMP-1: an identity in a trailer is none',
    bytes: post(
      ...[target, [json, 'Transfer-Encoding: chunked', 'Trailer: Impersonate-User']],
      `${trailed.length.toString(16)}\r\n${trailed}\r\n0\r\nImpersonate-User: eve\r\nAuthorization: Bearer x\r\n\r\n`,
    ),
    answers: [201],
    member1: [create],
  },
];

const webSocket = [
  ...['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];
const exec = '/api/v1/namespaces/default/pods/x/exec?command=true&stdout=true';
const upgrade = (url: string, ...headers: string[]) =>
  message([`GET ${url} HTTP/1.1`, 'Host: fleet', ...webSocket, ...headers]);
const bearer = (token: string) =>
  `Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io.${token}, v4.channel.k8s.io`;

const upgrades: Row[] = [
  {
    name: 'a list that asks for a WebSocket is a list',
    bytes: upgrade(target),
    answers: [200],
    member1: [`list ${configMaps}`],
    likeMember: true,
  },
  { name: 'so is what the product answers itself', bytes: upgrade('/version'), answers: [200] },
  {
    name: 'a protocol that nobody knows',
    bytes: message([`GET ${memberPath}/version HTTP/1.1`, 'Host: fleet', 'Upgrade: frob', 'Connection: upgrade']),
    answers: [200],
    member1: ['get /version'],
    likeMember: true,
  },
  {
    name: 'HTTP/2 by upgrade',
    bytes: message([
      ...[`GET ${memberPath}/version HTTP/1.1`, 'Host: fleet', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c'],
      'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
    ]),
    answers: [200],
    member1: ['get /version'],
    likeMember: true,
  },
  {
    name: 'ERR-4: a WebSocket with a body',
    bytes: `${upgrade(`${memberPath}${exec}`, 'Content-Length: 5')}hello`,
    answers: refused,
  },
  {
    name: 'ERR-4: a WebSocket with a chunked body',
    bytes: `${upgrade(`${memberPath}${exec}`, 'Transfer-Encoding: chunked')}5\r\nhello\r\n0\r\n\r\n`,
    answers: refused,
  },
  { name: 'URL-8: a WebSocket by way of dots', bytes: upgrade(`${memberPath}/api/../${exec}`), answers: refused },
  { name: 'NAME-8: a WebSocket to nowhere', bytes: upgrade(`/clusters/nope${exec}`), answers: [[404, 'NotFound']] },
  {
    name: 'AUTHZ-2: a WebSocket of nobody',
    bytes: upgrade(`${memberPath}${exec}`),
    as: 'nobody',
    answers: [[403, 'Forbidden']],
  },
  {
    name: 'AUTHZ-3: a WebSocket that only the member refuses',
    bytes: upgrade(`${memberPath}${exec}`, 'Sec-WebSocket-Protocol: v4.channel.k8s.io'),
    as: 'alice',
    answers: [[403, 'Forbidden']],
    member1: [`get ${exec}`],
  },
  {
    name: 'a bad token as a subprotocol',
    bytes: upgrade(`${memberPath}${exec}`, bearer('bm9uc2Vuc2U')),
    as: 'nobody',
    answers: [[401, 'Unauthorized']],
  },
  {
    name: 'IMP-5: a good token as a subprotocol is the control plane’s account, which the member does not know',
    bytes: upgrade(`${memberPath}${exec}`, bearer('{token64}')),
    as: 'nobody',
    answers: [[403, 'Forbidden']],
    member1: [`get ${exec}`],
    seenAs: {
      user: 'fleet:serviceaccount:default:builder',
      groups: ['fleet:serviceaccounts', 'fleet:serviceaccounts:default', 'system:authenticated'],
    },
  },
];

const http2: Row[] = [
  ...['..', '%2e%2e', '..%2f..'].map((dots) => ({
    name: `HTTP/2, URL-8: ${dots}`,
    bytes: { headers: { ':path': `${memberPath}/${dots}/${dots}/member2/proxy/version` } },
    answers: refused,
  })),
  {
    name: 'HTTP/2, KS-4: an empty query',
    bytes: { headers: { ':path': `${memberPath}/version?` } },
    answers: [200],
    member1: ['get /version?'],
  },
  { name: 'HTTP/2: a path without a slash', bytes: { headers: { ':path': 'version' } }, answers: [] },
  { name: 'HTTP/2: a space in the path', bytes: { headers: { ':path': `${memberPath}/version?a b` } }, answers: [] },
  { name: 'HTTP/2: a fragment', bytes: { headers: { ':path': `${memberPath}/version#x` } }, answers: refused },
  {
    name: 'HTTP/2: CONNECT',
    bytes: { headers: { ':method': 'CONNECT', ':authority': '127.0.0.1:22' } },
    answers: [405],
  },
  {
    name: 'HTTP/2, IMP-5: system:masters',
    bytes: {
      headers: {
        ...{ ':path': `${memberPath}/version`, 'impersonate-user': 'eve' },
        'impersonate-group': ['people', 'system:masters'],
      },
    },
    answers: [200],
    member1: ['get /version'],
    seenAs: { user: 'eve', groups: ['people', 'system:authenticated'] },
  },
  {
    name: 'HTTP/2, IMP-4: X-Remote-*',
    bytes: { headers: { ':path': `${memberPath}/version`, 'x-remote-user': 'system:admin', host: 'evil.example' } },
    as: 'alice',
    answers: [200],
    member1: ['get /version'],
  },
  {
    name: 'HTTP/2: a length that the body does not have',
    bytes: { headers: { ':path': target, ':method': 'POST', 'content-length': '5' }, body: 'abc' },
    answers: [],
  },
  {
    name: 'HTTP/2: a thousand headers',
    bytes: {
      headers: {
        ':path': `${memberPath}/version`,
        ...Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`x-${i}`, '1'])),
      },
    },
    answers: [],
  },
];

export const bodyRows: readonly Row[] = [...bodies, ...upgrades, ...http2];

/** Heads: smuggling, identity that is claimed in headers (IMP-1, IMP-2, IMP-4), methods. */

import { configMap, configMaps, get, malformed, memberPath, message, post, type Row, refused } from './row.ts';

const version = `${memberPath}/version`;
const toMember1 = { answers: [200], member1: ['get /version'] };
const asEve = { user: 'eve', groups: ['people', 'system:authenticated'] };

const smuggling: Row[] = [
  ...(
    [
      ['lengths that disagree', ['Content-Length: 3', 'Content-Length: 30'], true],
      ['a list of lengths', ['Content-Length: 3, 3'], true],
      ['a negative length', ['Content-Length: -3'], true],
      ['a length with a sign', ['Content-Length: +3'], true],
      ['a length in hexadecimal', ['Content-Length: 0x3'], true],
      ['a length beyond all numbers', ['Content-Length: 99999999999999999999999'], true],
      ['equal lengths twice', ['Content-Length: 3', 'Content-Length: 3'], false],
      ['length and chunks', ['Content-Length: 3', 'Transfer-Encoding: chunked'], false],
      ['a space before the colon', ['Transfer-Encoding : chunked'], true],
    ] as const
  ).map(([what, headers, alike]) => ({
    name: `IMP-4 ERR-4: ${what}`,
    bytes: post(`${memberPath}${configMaps}`, headers, 'abc'),
    answers: malformed,
    ...(alike ? ({ likeMember: true } as const) : {}),
  })),
  ...(
    [
      ['chunks that are none', ['Transfer-Encoding: xchunked']],
      ['chunks that are not last', ['Transfer-Encoding: chunked, identity']],
      ['chunks twice', ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked']],
      ['another encoding before chunks', ['Transfer-Encoding: gzip, chunked']],
      ['another encoding in a header of its own', ['Transfer-Encoding: gzip', 'Transfer-Encoding: chunked']],
    ] as const
  ).map(([what, headers]) => ({
    name: `IMP-4: ${what}`,
    bytes: post(`${memberPath}${configMaps}`, headers, '0\r\n\r\n'),
    answers: [501],
    likeMember: true as const,
  })),
  ...['Content-Length: 10', 'Transfer-Encoding: chunked'].map((announced) => ({
    name: `LIMIT-1: a read does not wait for the body that ${announced} promises`,
    bytes: get(version, announced),
    ...toMember1,
  })),
  {
    name: 'IMP-4: a request hidden behind length and chunks is none',
    bytes: post(
      `${memberPath}${configMaps}`,
      ['Content-Length: 4', 'Transfer-Encoding: chunked'],
      `0\r\n\r\n${get(`${memberPath}/smuggled`)}`,
    ),
    answers: malformed,
  },
  {
    name: 'two requests in one piece are two requests',
    bytes: message([`GET ${version}?1 HTTP/1.1`, 'Host: fleet']) + get(`${version}?2`, 'Impersonate-User: nobody'),
    answers: [200, [403, 'Forbidden']],
    member1: ['get /version?1'],
  },
  {
    name: 'what follows a body is a request of its own, with its own permissions',
    bytes:
      message(
        [
          `POST ${memberPath}${configMaps} HTTP/1.1`,
          'Host: fleet',
          'Content-Type: application/x-garbage',
          'Content-Length: 2',
        ],
        '{}',
      ) + get('/clusters/nope/version'),
    answers: [
      [415, 'UnsupportedMediaType'],
      [404, 'NotFound'],
    ],
    member1: [`create ${configMaps}`],
  },
];

const lines: Row[] = (
  [
    ['a folded line', 'X-A: 1\r\n folded', false],
    ['a folded line that claims an identity', 'X-A: 1\r\n\tImpersonate-User: eve', false],
    ['a space before a name', ' X-A: 1', true],
    ['a line without a colon', 'Xabc', true],
    ['no name', ': 1', true],
    ['a parenthesis in a name', 'X(A): 1', true],
    ['a control character in a value', 'X-A: a\0b', true],
    ['a control character in an identity', 'Impersonate-User: e\x01ve', true],
    ['a carriage return in a value', 'X-A: a\rImpersonate-User: eve', true],
  ] as const
).map(([what, line, alike]) => ({
  name: `IMP-4 ERR-4: ${what}`,
  bytes: get(version, line),
  answers: malformed,
  ...(alike ? ({ likeMember: true } as const) : {}),
}));

/** The answer can be lost: a connection is closed under bytes that nobody will read. */
const tooLarge = { answers: [431], orClosed: true } as const;

const sizes: Row[] = [
  { name: 'LIMIT-1: a header of two megabytes', bytes: get(version, `X-A: ${'a'.repeat(2_000_000)}`), ...tooLarge },
  { name: 'LIMIT-1: a URL of two megabytes', bytes: get(`${version}?${'q'.repeat(2_000_000)}`), ...tooLarge },
  {
    name: 'LIMIT-1: an identity behind half a million headers is not overlooked',
    bytes: get(version, `${'x:\r\n'.repeat(500_000)}Impersonate-User: eve`),
    ...tooLarge,
  },
  {
    name: 'a Connection header of 3 000 names',
    bytes: get(version, `Connection: ${'a,'.repeat(3_000)}`),
    ...toMember1,
  },
];

const identities: Row[] = [
  {
    name: 'IMP-2: an identity without permission for it',
    bytes: get(version, 'Impersonate-User: fleet:admin'),
    as: 'alice',
    answers: [[403, 'Forbidden']],
  },
  {
    name: 'IMP-2: a group without permission for it',
    bytes: get(version, 'Impersonate-User: alice', 'Impersonate-Group: fleet:admins'),
    as: 'alice',
    answers: [[403, 'Forbidden']],
  },
  {
    name: 'IMP-2: a group without a user',
    bytes: get(version, 'Impersonate-Group: system:masters'),
    answers: refused,
    likeMember: true,
  },
  {
    name: 'IMP-2: the first of two users counts, as in Kubernetes',
    bytes: get(version, 'Impersonate-User: eve', 'Impersonate-Group: people', 'Impersonate-User: fleet:admin'),
    ...toMember1,
    seenAs: asEve,
  },
  {
    name: 'IMP-5: system:masters goes to no member',
    bytes: get(version, 'Impersonate-User: eve', 'Impersonate-Group: people', 'Impersonate-Group: system:masters'),
    ...toMember1,
    seenAs: asEve,
  },
  {
    name: 'IMP-5: system:masters alone goes to no member either',
    bytes: get(version, 'Impersonate-User: eve', 'Impersonate-Group: system:masters'),
    ...toMember1,
    seenAs: { user: 'eve', groups: ['system:authenticated'] },
  },
  {
    name: 'IMP-5: fleet:admins by impersonation is no group',
    bytes: get(version, 'Impersonate-User: eve', 'Impersonate-Group: people', 'Impersonate-Group: fleet:admins'),
    ...toMember1,
    seenAs: asEve,
  },
  {
    name: 'IMP-4: Connection cannot take an identity away',
    bytes: get(
      ...[version, 'Connection: Authorization, Impersonate-User, Impersonate-Group'],
      ...['Impersonate-User: eve', 'Impersonate-Group: people'],
    ),
    ...toMember1,
    seenAs: asEve,
  },
  { name: 'a header that resembles an identity', bytes: get(version, 'Impersonate_User: eve'), ...toMember1 },
  {
    name: 'IMP-4: X-Remote-* means nothing',
    bytes: get(version, 'X-Remote-User: system:admin', 'X-Remote-Group: system:masters', 'X-Remote-Extra-A: b'),
    as: 'alice',
    ...toMember1,
  },
  {
    name: 'IMP-4: X-Remote-* means nothing without a certificate',
    bytes: get(version, 'X-Remote-User: fleet:admin', 'X-Remote-Group: system:masters'),
    as: 'nobody',
    answers: [[403, 'Forbidden']],
  },
  {
    name: 'a bad token is not anonymous',
    bytes: get(version, 'Authorization: Bearer nonsense'),
    as: 'nobody',
    answers: [[401, 'Unauthorized']],
  },
  {
    name: 'a good token behind a bad one is not looked at',
    bytes: get(version, 'Authorization: Bearer nonsense', 'Authorization: Bearer {token}'),
    as: 'nobody',
    answers: [[401, 'Unauthorized']],
  },
  {
    name: 'IMP-1: a token beside a certificate goes no further',
    bytes: get(version, 'Authorization: Bearer {token}'),
    ...toMember1,
  },
  { name: 'IMP-4: a cookie is nobody’s business', bytes: get(version, 'Cookie: token={token}'), ...toMember1 },
  { name: 'the host of another', bytes: message([`GET ${version} HTTP/1.0`, 'Host: evil.example:99']), ...toMember1 },
  {
    name: 'no host',
    bytes: message([`GET ${version} HTTP/1.1`, 'Connection: close']),
    answers: malformed,
    likeMember: true,
  },
  ...[
    ['two hosts', 'Host: other'],
    ['the same host twice', 'Host: fleet'],
  ].map(([what, line]) => ({
    name: `IMP-4: ${what}`,
    bytes: get(version, line!),
    answers: refused,
  })),
  ...['a b', 'a@b', 'a/b', 'a<b', '\xe4'].map((host) => ({
    name: `IMP-4: a host that is none: ${host}`,
    bytes: message([`GET ${version} HTTP/1.1`, `Host: ${host}`, 'Connection: close']),
    answers: refused,
  })),
  { name: 'an unknown expectation', bytes: get(version, 'Expect: banana'), answers: [417], likeMember: true },
];

const line = (text: string) => message([text, 'Host: fleet', 'Connection: close']);

const methods: Row[] = [
  { name: 'a method in small letters', bytes: line(`get ${version} HTTP/1.1`), answers: malformed },
  { name: 'a method that nobody knows', bytes: line(`GETX ${version} HTTP/1.1`), answers: malformed },
  { name: 'a tab behind the method', bytes: line(`GET\t${version} HTTP/1.1`), answers: malformed, likeMember: true },
  { name: 'a space in the URL', bytes: line(`GET ${version}?a b HTTP/1.1`), answers: malformed, likeMember: true },
  { name: 'a zero in the URL', bytes: line(`GET ${version}?a\0b HTTP/1.1`), answers: malformed, likeMember: true },
  { name: 'a raw byte in the URL', bytes: line(`GET ${version}?a\xe4 HTTP/1.1`), answers: malformed },
  { name: 'lines that end without a return', bytes: `GET ${version} HTTP/1.1\nHost: fleet\n\n`, answers: malformed },
  { name: 'HTTP/2.0 in the line', bytes: line(`GET ${version} HTTP/2.0`), answers: [505], likeMember: true },
  { name: 'HTTP/3.0', bytes: line(`GET ${version} HTTP/3.0`), answers: malformed },
  { name: 'HTTP/2 without having agreed on it', bytes: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', answers: malformed },
  { name: 'CONNECT', bytes: line('CONNECT 127.0.0.1:22 HTTP/1.1'), answers: [] },
  { name: 'CONNECT with a path', bytes: line(`CONNECT ${version} HTTP/1.1`), answers: [] },
  {
    name: 'URL-4: TRACE is the member’s to refuse',
    bytes: line(`TRACE ${version} HTTP/1.1`),
    answers: [[405, 'MethodNotAllowed']],
    member1: ['trace /version'],
    likeMember: true,
  },
  ...['TRACE', 'PUT', 'PATCH'].map((method) => ({
    name: `ERR-4: ${method} without a name or a cluster`,
    bytes: line(`${method} /api/v1/namespaces/default/configmaps HTTP/1.1`),
    answers: [[405, 'MethodNotAllowed']] as const,
  })),
  {
    name: 'URL-12: deletecollection over all members',
    bytes: line('DELETE /api/v1/namespaces/default/configmaps HTTP/1.1'),
    answers: [[405, 'MethodNotAllowed']],
  },
  {
    name: 'AUTHZ-2: a header that would make another method of it',
    bytes: get(version, 'X-HTTP-Method-Override: DELETE', 'X-Method-Override: DELETE', 'X-HTTP-Method: DELETE'),
    ...toMember1,
  },
  {
    name: 'a write that a header calls a read stays a write',
    bytes: post(
      `${memberPath}${configMaps}`,
      [
        'X-HTTP-Method-Override: GET',
        'Content-Type: application/json',
        `Content-Length: ${configMap('override').length}`,
      ],
      configMap('override'),
    ),
    answers: [201],
    member1: [`create ${configMaps}`],
  },
];

export const headRows: readonly Row[] = [...smuggling, ...lines, ...sizes, ...identities, ...methods];

/** Paths and queries: traversal in every family (URL-8), byte for byte (KS-4), clusters that are none (NAME-8, NAME-9). */

import { memberProxy } from '../fleet.ts';
import { configMaps, get, memberPath, message, type Row, refused, unknown } from './row.ts';

/** Each would lead from member1, or from one namespace, to somewhere else. */
const families: Readonly<Record<string, (dots: string) => string>> = {
  vanilla: (dots) => `/api/v1/namespaces/default/${dots}/pods`,
  'vanilla, behind a subresource': (dots) => `/api/v1/namespaces/default/pods/x.clusterspace.member1/proxy/${dots}/y`,
  'Fleet API': (dots) => `/api/v1/namespaces/default/clusterspaces/member1/${dots}/member2/pods`,
  'Fleet API by query': (dots) => `/api/v1/${dots}/pods?clusterspace=member1`,
  'Fleet API by prefix': (dots) => `/clusterspaces/member1/${dots}/member2/version`,
  'cluster proxy': (dots) => `${memberPath}/${dots}/${dots}/member2/proxy/version`,
  'name of a proxied cluster': (dots) => `${memberProxy(dots)}/version`,
  dispatch: (dots) => `/clusters/member1/${dots}/member2/version`,
  'dispatch in /api': (dots) => `/api/clusters/member1/${dots}/v1/pods`,
  'dispatch in /kapis': (dots) => `/kapis/clusters/${dots}/member1/x`,
};

const dots = ['..', '.', '%2e%2e', '.%2E', '..%2f..', '..%5C..', '..\\..'];

const traversal: Row[] = Object.entries(families).flatMap(([family, url]) =>
  dots.map((segment) => ({ name: `URL-8: ${segment} in the ${family}`, bytes: get(url(segment)), answers: refused })),
);

const strict: Row[] = [
  ['an empty segment in front', '//api/v1/pods'],
  ['an empty segment inside', '/api//v1/pods'],
  ['empty segments behind', '/api/v1/pods//'],
  ['an empty segment behind the clusterspace', '/clusterspaces/member1//api'],
  ['no name of a cluster', '/clusters//version'],
  ['an encoded slash in a namespace', '/api/v1/namespaces/default%2fpods'],
  ['an encoded slash in a name', '/api/v1/namespaces/default/pods/x%2Fy.clusterspace.member1'],
  ['an encoded slash in the name of a cluster', '/clusters/member1%2fmember2/version'],
  ['an encoded slash before proxy', `${memberProxy('member1%2Fproxy').replace(/\/proxy$/, '')}/version`],
  ['overlong UTF-8', '/api/v1/namespaces/%c0%ae%c0%ae/pods'],
  ['half an encoding', '/clusterspaces/%e/version'],
  ['a fragment', `${memberPath}/version#x`],
  ['a second clusterspace', '/clusterspaces/member1/clusterspaces/member2/api'],
  ['two clusters in path and name', '/clusterspaces/member1/api/v1/namespaces/default/pods/x.clusterspace.member2'],
  ['two clusters in the query', '/api/v1/pods?clusterspace=member1&clusterspace=member2'],
  ['two clusters, one encoded', '/api/v1/pods?clusterspace=member1&cluster%73pace=member2'],
  ['no cluster in the query', '/api/v1/pods?clusterspace='],
  ['partial=maybe', '/api/v1/namespaces?partial=maybe'],
  ['partial without a value', '/api/v1/namespaces?partial'],
].map(([what, url]) => ({ name: `URL-8 ERR-4: ${what}`, bytes: get(url!), answers: refused }));

const requestTargets: Row[] = [
  ['a whole URL', `https://fleet${memberPath}/version`],
  ['another host’s URL', `http://evil.example${memberPath}/version`],
  ['an asterisk', '*'],
].map(([what, target]) => ({
  name: `URL-8: ${what} as request target`,
  bytes: message([`OPTIONS ${target} HTTP/1.1`, 'Host: fleet', 'Connection: close']),
  answers: refused,
}));

const clusters: Row[] = [
  ['an unknown cluster, by proxy', `${memberProxy('nope')}/version`],
  ['an unknown cluster, by dispatch', '/clusters/nope/version'],
  ['an unknown cluster, by prefix', '/clusterspaces/nope/version'],
  ['an unknown cluster, by query', '/api/v1/pods?clusterspace=nope'],
  ['an unknown cluster, by name', '/api/v1/namespaces/default/pods/x.clusterspace.nope'],
  ['a cluster with dots in the query', '/api/v1/pods?clusterspace=member1%2f..'],
  ['karmada, by proxy', `${memberProxy('karmada')}/version`],
  ['karmada, by dispatch', '/clusters/karmada/version'],
  ['host, by prefix', '/clusterspaces/host/version'],
  ['fleet, by prefix', '/clusterspaces/fleet/version'],
  ['clusterspace, by dispatch', '/clusters/clusterspace/version'],
  ['capital letters', '/clusters/MEMBER1/version'],
  ['a control character', '/clusters/member1%00/version'],
  ['a line break', '/clusters/member1%0d%0a/version'],
  ['a parameter', '/clusters/member1;x=1/version'],
  ['a letter that looks the same', '/clusters/m%D0%B5mber1/version'],
  ['a very long name', `/clusters/${'a'.repeat(5_000)}/version`],
  ['a family in capital letters', '/Clusters/member1/version'],
  ['an encoded family', '/%63lusters/member1/version'],
].map(([what, url]) => ({ name: `NAME-8 NAME-9: ${what}`, bytes: get(url!), answers: unknown }));

/** What an endpoint must not touch: the tail, and what member1 itself answers to it. */
const untouched: [what: string, tail: string, seen: string, code: number][] = [
  ['order and repetition of parameters', '/version?b=2&a=1&b=1&b=2', 'get', 200],
  ['two spellings of a parameter', `${configMaps}?labelSelector=a%3Db&labelSelector=a=b`, 'list', 200],
  ['an encoded letter', '/versi%6Fn', 'get', 200],
  ['plus and %20', '/version?q=a+b%20c', 'get', 200],
  ['broken encoding in the query', '/version?q=%zz&%', 'get', 200],
  ['characters that want encoding', '/version?q=<>"{}|^`', 'get', 200],
  ['semicolons in the query', '/version?a;b=1', 'get', 200],
  ['empty parameters', '/version?&&=&a=&', 'get', 200],
  ['an empty query', '/version?', 'get', 200],
  ['a second question mark', '/version?a?b', 'get', 200],
  ['our own parameters', '/version?clusterspace=member2&partial=maybe', 'get', 200],
  ['a second dispatch', '/clusters/member2/version', 'get', 404],
  ['a proxy in the proxy', `${memberProxy('member2')}/version`, 'get', 404],
  ['a second clusterspace', '/clusterspaces/member2/version', 'get', 404],
  ['dots encoded twice', '/%252e%252e/version', 'get', 404],
  ['dots encoded twice, in a namespace', '/api/v1/namespaces/%252e%252e/pods', 'list', 200],
  ['overlong dots', '/%c0%ae%c0%ae/version', 'get', 404],
  ['three dots', '/.../version', 'get', 404],
  ['empty segments', '//api///v1/namespaces', 'get', 404],
  ['an encoded slash', '/api/v1/namespaces/default%2fconfigmaps', 'list', 200],
  ['an encoded slash in front', '/%2fversion', 'get', 404],
  ['a control character', `${configMaps}/a%00b`, 'get', 404],
  ['a line break in the query', '/version?%0d%0aImpersonate-User:%20x', 'get', 200],
  ['a parameter of a segment', `${configMaps}/a;b=1`, 'get', 404],
  ['a long query', `/version?${'q=x&'.repeat(1_000)}`, 'get', 200],
];

const tails: Row[] = untouched.flatMap(([what, tail, verb, code]) =>
  [memberPath, '/clusters/member1'].map((at) => ({
    name: `KS-4: ${what} through ${at === memberPath ? 'the cluster proxy' : 'dispatch'}`,
    bytes: get(`${at}${tail}`),
    answers: [code],
    member1: [`${verb} ${tail}`],
    ...(at === memberPath ? ({ likeMember: true } as const) : {}),
  })),
);

const stripped: Row[] = [
  ['dispatch without a tail', '/clusters/member1', '/'],
  ['dispatch with a query alone', '/clusters/member1?a=b', '/?a=b'],
  ['the cluster proxy with an empty query alone', `${memberPath}?`, '/?'],
  ['dispatch in /api', '/api/clusters/member1/v1/namespaces/default?b=1&a=%41', '/api/v1/namespaces/default?b=1&a=%41'],
  ['dispatch with an encoded letter', '/clusters/member%31/version', '/version'],
  ['a clusterspace named twice alike', '/version?clusterspace=member1&clusterspace=member1', '/version'],
  ['an encoded key of ours', '/version?%63lusterspace=member1&x=%2f', '/version?x=%2f'],
].map(([what, url, seen]) => ({
  name: `URL-7 URL-9: ${what}`,
  bytes: get(url!),
  answers: [200],
  member1: [`get ${seen}`],
}));

export const pathRows: readonly Row[] = [
  ...traversal,
  ...strict,
  ...requestTargets,
  ...clusters,
  ...tails,
  ...stripped,
];

/**
 * What is replaced wherever it stands in a text, be it a field, a message or a header. Each line has the reason why the value
 * cannot be the same on two servers, or twice on one.
 */

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const generatedName = /\b(gen\d{4}-)[bcdfghjklmnpqrstvwxz2456789]{5}\b/g;
const tokenVolume = /\b(kube-api-access-)[a-z0-9]{5}\b/g;
const certificate = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;
const versions: readonly RegExp[] = [
  /(resource version: )\d+(, current: )\d+/g, // "Too large resource version: 9, current: 5"
  /(too old resource version: )\d+( \()\d+/g,
  /(ResourceVersion in precondition: )\d+(, ResourceVersion in object meta: )\d+/g,
  /(ResourceVersion in the precondition \()\d+(\) does not match the ResourceVersion in record \()\d+/g,
  /(resourceVersion)([\\"]*: ?[\\"]+)\d+(?=[\\"])/g, // an object quoted in a message
];
const jsonWebToken = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g;
const continueToken = /\beyJ2Ijoi[\w-]+/g; // {"v":"…
const serviceAddress = /\b10\.\d+\.\d+\.\d+\b/g;
const listening = /\b127\.0\.0\.1:\d+\b/g;
const time = /\b(\d{4}-\d\d-\d\d)([T ]\d\d:\d\d:\d\d)((?:\.\d+)?)/g;

/** Times the requests themselves carry are years ago and are compared. */
function isRecent(stamp: string): boolean {
  return Math.abs(Date.parse(`${stamp.replace(' ', 'T')}Z`) - Date.now()) < 2 * 24 * 3600_000;
}

/** Most texts hold none of it; every other pattern has a digit. */
const suspicious = /\d|kube-api-access-|BEGIN CERTIFICATE/;

export function normaliseText(text: string, scope: string): string {
  if (!suspicious.test(text) && !text.includes(scope)) return text;
  let plain = text
    // each side has its own names, so that both may be one server; equally long, so that order and widths agree
    .replaceAll(scope, 'SCOPE')
    // given by the server to each object; that the same object keeps its own is checked by pairing
    .replace(uuid, (id) => (/^(.)\1{7}-/.test(id) ? id : '‹uid›'))
    // random; the part before it is unique to the request
    .replace(generatedName, '$1‹random›')
    .replace(tokenVolume, '$1‹random›')
    // each cluster has its own authority
    .replace(certificate, '‹certificate›')
    // signed anew each time
    .replace(jsonWebToken, '‹token›')
    // opaque, and holds a version
    .replace(continueToken, '‹continue›')
    // where this server listens
    .replace(listening, '‹address›')
    // allocated at random
    .replace(serviceAddress, '‹address›')
    // the clock; its form stays
    .replace(time, (all, day: string, clock: string, fraction: string) =>
      isRecent(day + clock) ? `‹time${fraction.replace(/\d/g, '0')}›` : all,
    );
  // counters of the whole server
  for (const version of versions) plain = plain.replace(version, '$1‹version›$2‹version›');
  return plain;
}

/** Go's encoder escapes these where others need not. */
const spelled = (text: string): string =>
  text.replace(/\\u00(3c|3e|26)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Go walks maps at random, so errors about several keys come in any order: "[a, b]" and "[b, a]" are the same. */
export function sortErrors(message: string): string {
  const from = message.indexOf(': [');
  if (from < 0) return message;
  return (
    message.slice(0, from) +
    message
      .slice(from)
      .split(/, |\[|\]/)
      .sort((a, b) => (spelled(a) < spelled(b) ? -1 : 1))
      .join(', ')
  );
}

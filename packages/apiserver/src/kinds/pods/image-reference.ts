/** The tag of an image, by the rules of `distribution/reference`. */

const component = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const domain =
  /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?$/;
const tagPattern = /^\w[\w.-]{0,127}$/;
const digestSizes: Readonly<Record<string, number>> = { sha256: 64, sha384: 96, sha512: 128 };
const longestName = 255;

/** `latest` without a tag and a digest; empty with a digest only, or for an invalid image. */
export function imageTag(image: string): string {
  if (/^[a-f0-9]{64}$/.test(image)) return '';
  const at = image.indexOf('@');
  const digest = at < 0 ? undefined : image.slice(at + 1);
  const rest = at < 0 ? image : image.slice(0, at);
  if (digest !== undefined && !isDigest(digest)) return '';
  const slash = rest.indexOf('/');
  const colon = rest.lastIndexOf(':');
  const isTagged = colon > rest.lastIndexOf('/');
  const name = isTagged ? rest.slice(0, colon) : rest;
  const tag = isTagged ? rest.slice(colon + 1) : undefined;
  if (tag !== undefined && !tagPattern.test(tag)) return '';
  if (!isName(name, slash)) return '';
  return tag ?? (digest === undefined ? 'latest' : '');
}

function isDigest(text: string): boolean {
  const [algorithm = '', hex = ''] = text.split(':', 2);
  return hex.length === digestSizes[algorithm] && /^[a-f0-9]+$/.test(hex);
}

function isName(name: string, slash: number): boolean {
  const first = slash < 0 ? '' : name.slice(0, slash);
  const hasDomain = first !== '' && (/[.:A-Z]/.test(first) || first === 'localhost');
  const path = hasDomain ? name.slice(slash + 1) : name;
  if (name.length > longestName || (hasDomain && !domain.test(first))) return false;
  return path.split('/').every((part) => component.test(part));
}

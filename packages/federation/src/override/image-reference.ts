/** References of images, `[registry/]repository[:tag][@digest]`, by the grammar of `distribution/reference`. */

export interface ImageReference {
  registry: string;
  repository: string;
  /** Of tag and digest at most one is kept: the tag. */
  tag: string;
  digest: string;
}

export function parseImage(image: string): ImageReference {
  const [untilDigest, digest] = splitAt(image, image.indexOf('@'));
  const colon = untilDigest.lastIndexOf(':');
  // A colon before a slash begins a port.
  const [name, tag] = splitAt(untilDigest, colon > untilDigest.lastIndexOf('/') ? colon : -1);
  const isValid = isName(name) && (tag === undefined || isTag(tag)) && (digest === undefined || isUsableDigest(digest));
  if (!isValid) throw new Error(`${JSON.stringify(image)} is no reference of an image`);
  return { ...splitRegistry(name), tag: tag ?? '', digest: tag === undefined ? (digest ?? '') : '' };
}

export function imageText({ registry, repository, tag, digest }: ImageReference): string {
  const name = registry ? `${registry}/${repository}` : repository;
  if (tag) return `${name}:${tag}`;
  return digest ? `${name}@${digest}` : name;
}

/** Another tag, or another digest; what is neither changes nothing. */
export function withTagOrDigest(image: ImageReference, text: string): ImageReference {
  if (isTag(text)) return { ...image, tag: text, digest: '' };
  return isDigest(text) ? { ...image, tag: '', digest: text } : image;
}

/** Without the sign between. */
const splitAt = (text: string, at: number): [string, string?] =>
  at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];

/** The first part is a registry only if it cannot be part of a repository. */
function splitRegistry(name: string): Pick<ImageReference, 'registry' | 'repository'> {
  const [first, rest] = splitAt(name, name.indexOf('/'));
  const isRegistry = rest !== undefined && (/[.:]/.test(first) || first === 'localhost');
  return isRegistry ? { registry: first, repository: rest } : { registry: '', repository: name };
}

const longestRepository = 255;

function isName(name: string): boolean {
  const [first = '', ...parts] = name.split('/');
  if (!parts.every(isPathComponent)) return false;
  const hasDomain = parts.length > 0 && isDomain(first);
  if (!hasDomain && !isPathComponent(first)) return false;
  return (hasDomain ? parts.join('/') : name).length <= longestRepository;
}

const isPathComponent = (part: string): boolean => /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/.test(part);

function isDomain(text: string): boolean {
  const host = text.replace(/:\d+$/, '');
  if (/^\[[a-fA-F0-9:]+\]$/.test(host)) return true;
  return host.split('.').every((label) => /^[a-zA-Z0-9]+(?:-+[a-zA-Z0-9]+)*$/.test(label));
}

const isTag = (text: string): boolean => /^\w[\w.-]{0,127}$/.test(text);

const isDigest = (text: string): boolean =>
  /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}$/.test(text);

/** One of an image that is there has to be of a known algorithm. */
const isUsableDigest = (text: string): boolean =>
  /^sha256:[a-f0-9]{64}$/.test(text) || /^sha384:[a-f0-9]{96}$/.test(text) || /^sha512:[a-f0-9]{128}$/.test(text);

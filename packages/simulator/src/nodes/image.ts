/** Derives the properties of images from their names: nothing is pulled. */

import { createHash } from 'node:crypto';

/** In characters. Nodes store references, so the limits are those of `distribution/reference`, of host names, and of any digest. */
const longest = { repository: 255, registry: 261, digest: 140 };

/** `docker.io/library/nginx:latest` for `nginx`; undefined for an invalid reference. */
export function imageReference(image: string): string | undefined {
  const [withTag = '', digest] = image.split('@');
  const slash = withTag.indexOf('/');
  const first = slash < 0 ? '' : withTag.slice(0, slash);
  const hasRegistry = first.includes('.') || first.includes(':') || first === 'localhost';
  const registry = hasRegistry ? first : 'docker.io';
  const rest = hasRegistry ? withTag.slice(slash + 1) : withTag;
  const colon = rest.lastIndexOf(':');
  const repository = colon < 0 ? rest : rest.slice(0, colon);
  const tag = colon < 0 ? (digest ? '' : ':latest') : rest.slice(colon);
  if (!/^[a-z0-9][a-z0-9._/-]*$/.test(repository) || (tag !== '' && !/^:[\w.-]{1,128}$/.test(tag))) return undefined;
  if (
    repository.length > longest.repository ||
    registry.length > longest.registry ||
    (digest?.length ?? 0) > longest.digest
  )
    return undefined;
  const path = registry === 'docker.io' && !repository.includes('/') ? `library/${repository}` : repository;
  return `${registry}/${path}${tag}${digest ? `@${digest}` : ''}`;
}

/** Docker's error for an invalid name. */
export const invalidImageText = (image: string): string =>
  /[A-Z]/.test(image.split(':')[0] ?? '')
    ? `couldn't parse image name ${JSON.stringify(image)}: invalid reference format: repository name (${image.split(':')[0]}) must be lowercase`
    : `couldn't parse image name ${JSON.stringify(image)}: invalid reference format`;

const digestOf = (reference: string): string => createHash('sha256').update(reference).digest('hex');

/** The image ID as containerd writes it: the repository with the digest of its contents, here of its name. */
export function imageId(reference: string): string {
  if (reference.includes('@')) return reference;
  const colon = reference.lastIndexOf(':');
  return `${reference.slice(0, colon)}@sha256:${digestOf(reference)}`;
}

/** Between 2 and 200 MB, constant for a name. */
export const imageBytes = (reference: string): number =>
  2_000_000 + (Number.parseInt(digestOf(reference).slice(0, 8), 16) % 198_000_000);

const mostImages = 1_000;

/** Nodes remove images when their disk is full; here the oldest is removed first. */
export function keepImage(images: Set<string>, reference: string): void {
  images.add(reference);
  for (const oldest of images) {
    if (images.size <= mostImages) return;
    images.delete(oldest);
  }
}

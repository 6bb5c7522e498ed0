/** Negotiates the format and form of a response, as kube-apiserver does. */

import { type JsonObject, type JsonValue, jsonText } from '@fleet/kube/json-value.ts';
import { yamlText } from '@fleet/kube/json-yaml.ts';
import { type Accepted, type Form, parseAccept } from '@fleet/kube/negotiate.ts';
import { protobufOfJson } from '@fleet/kube/protobuf/encode.ts';
import { notAcceptable, StatusError } from '@fleet/kube/status.ts';
import type { ApiReply } from './message.ts';

export type Media = 'application/json' | 'application/yaml' | 'application/vnd.kubernetes.protobuf';

export const medias: readonly Media[] = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

export interface Representation {
  media: Media;
  form: Form;
  /** Of Tables and metadata. */
  version: string;
}

const plain: Representation = { media: 'application/json', form: 'object', version: 'v1' };

const meets = ({ type }: Accepted, media: Media): boolean =>
  type === media || type === '*/*' || type === 'application/*';

const forms: readonly string[] = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'];

function representation({ as, group, version }: Accepted, media: Media): Representation | undefined {
  if (as === undefined && group === undefined && version === undefined) return { ...plain, media };
  const isKnown = group === 'meta.k8s.io' && (version === 'v1' || version === 'v1beta1') && forms.includes(as ?? '');
  // A Table has no protobuf form.
  if (!isKnown || (as === 'Table' && media === 'application/vnd.kubernetes.protobuf')) return undefined;
  return { media, form: as as Form, version };
}

const allForms: readonly Form[] = ['object', 'Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'];

interface Offer {
  /** Lists and watches support more forms. */
  isList?: boolean;
  forms?: readonly Form[];
  /** Custom objects have no protobuf form, only their metadata has; and no router checks the Accept header. */
  isCustom?: boolean;
}

/** Without a header every format is acceptable. */
export function negotiated(accept: string | undefined, offer: Offer = {}): Representation {
  const { isList = false, forms: allowed = allForms, isCustom = false } = offer;
  if (!accept) return plain;
  const clauses = parseAccept(accept);
  for (const clause of clauses) {
    for (const media of medias) {
      const found = meets(clause, media) && representation(clause, media);
      const isMissing = isCustom && media === 'application/vnd.kubernetes.protobuf' && found && found.form === 'object';
      if (found && !isMissing && allowed.includes(found.form)) return found;
    }
  }
  if (!isCustom) refuseUnrouted(accept, medias, isList);
  throw notAcceptable(medias);
}

/** The router's check of unknown formats; the handler checks the form. */
export function refuseUnrouted(accept: string | undefined, known: readonly Media[], isList = false): void {
  const clauses = parseAccept(accept);
  if (clauses.some((clause) => known.some((media) => meets(clause, media)))) return;
  const streams = isList ? [`${medias[0]};stream=watch`, `${medias[2]};stream=watch`] : [];
  const offered = [...known, ...streams].join(', ');
  throw new StatusError(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${offered}`, {});
}

/** For documents without other forms; undefined if no plain format is acceptable. */
export const plainMedia = (accept: string | undefined): Media | undefined =>
  parseAccept(accept)
    .filter(({ as }) => as === undefined)
    .flatMap((clause) => medias.filter((media) => meets(clause, media)))[0];

/** For errors: JSON if nothing is acceptable. */
export function errorMedia(accept: string | undefined): Media {
  try {
    const { media } = negotiated(accept);
    return media;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return 'application/json';
  }
}

export function encoded(value: JsonValue, media: Media): Buffer {
  switch (media) {
    case 'application/json':
      return Buffer.from(`${jsonText(value)}\n`);
    case 'application/yaml':
      return Buffer.from(yamlText(value));
    case 'application/vnd.kubernetes.protobuf': {
      const bytes = protobufOfJson(value as JsonObject);
      // Kinds of CRDs have none.
      if (!bytes) throw notAcceptable(medias.slice(0, 2));
      return bytes;
    }
    default:
      return media satisfies never;
  }
}

export const replyIn = (media: Media, status: number, value: unknown): ApiReply => ({
  status,
  headers: { 'content-type': media },
  body: encoded(value as JsonValue, media),
});

/** Content negotiation as Kubernetes does it: media types with `as`, `v`, `g` parameters, in the client's order. */

export interface Accepted {
  /** `application/json`, or `*` wildcards as sent. */
  type: string;
  as: string | undefined;
  group: string | undefined;
  version: string | undefined;
  quality: number;
}

/** The clauses of an Accept header, best first; an absent or empty header accepts anything. */
export function parseAccept(header: string | undefined): Accepted[] {
  const clauses = (header?.trim() || '*/*').split(',').map(parseClause);
  return clauses.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality);
}

function parseClause(clause: string): Accepted {
  const [type = '', ...parameters] = clause.split(';').map((part) => part.trim());
  const values = new Map(
    parameters.map((parameter) => {
      const [key = '', value = ''] = parameter.split('=');
      return [key.trim(), value.trim()] as const;
    }),
  );
  const quality = values.has('q') ? Number(values.get('q')) : 1;
  return {
    type: type.toLowerCase(),
    as: values.get('as'),
    group: values.get('g'),
    version: values.get('v'),
    quality: Number.isNaN(quality) ? 1 : quality,
  };
}

export type Form = 'object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';

const metaForms: readonly string[] = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'];

export const acceptsJson = ({ type }: Accepted): boolean =>
  type === 'application/json' || type === '*/*' || type === 'application/*';

function jsonForms(header: string | undefined): Form[] {
  return parseAccept(header).flatMap((accepted): Form[] => {
    if (!acceptsJson(accepted)) return [];
    if (accepted.as === undefined) return ['object'];
    const isKnown = accepted.group === 'meta.k8s.io' && accepted.version === 'v1' && metaForms.includes(accepted.as);
    return isKnown ? [accepted.as as Form] : [];
  });
}

/** The form in which a JSON answer is wanted; undefined if the client accepts no JSON at all. */
export const jsonForm = (header: string | undefined): Form | undefined => jsonForms(header)[0];

/** What of an Accept header JSON can meet: not every answer has every form. Undefined if that is nothing. */
export const acceptOnlyJson = (header: string | undefined): string | undefined =>
  jsonForms(header).map(acceptFor).join(',') || undefined;

/** The Accept header that asks a server for just this form. */
export const acceptFor = (form: Form): string =>
  form === 'object' ? 'application/json' : `application/json;as=${form};v=v1;g=meta.k8s.io`;

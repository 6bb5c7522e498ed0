/** Negotiates content types as Kubernetes does: media types with `as`, `v`, `g` parameters, in the client's order. */

export interface Accepted {
  /** `application/json`, or `*` wildcards as sent. */
  type: string;
  as: string | undefined;
  group: string | undefined;
  version: string | undefined;
  quality: number;
}

const noParameters = { as: undefined, group: undefined, version: undefined, quality: 1 };

/** The clauses of an Accept header, best first; an absent or empty header accepts anything. */
export function parseAccept(header: string | undefined): Accepted[] {
  const written = (header?.trim() || '*/*').split(',').filter((clause) => clause !== '');
  const clauses = written.map(parseClause);
  return clauses.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality);
}

function parseClause(clause: string): Accepted {
  // Most clauses have no parameters, and a header may hold 60 000 clauses.
  if (!clause.includes(';')) return { type: clause.trim().toLowerCase(), ...noParameters };
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
/** Kubernetes serves the same forms in the older version, too. */
const metaVersions: readonly (string | undefined)[] = ['v1', 'v1beta1'];

export const acceptsJson = ({ type }: Accepted): boolean =>
  type === 'application/json' || type === '*/*' || type === 'application/*';

export interface JsonForm {
  form: Form;
  version: string | undefined;
}

function jsonForms(header: string | undefined): JsonForm[] {
  return parseAccept(header).flatMap((accepted): JsonForm[] => {
    if (!acceptsJson(accepted)) return [];
    const { as, group, version } = accepted;
    if (as === undefined) return [{ form: 'object', version: undefined }];
    const isKnown = group === 'meta.k8s.io' && metaVersions.includes(version) && metaForms.includes(as);
    return isKnown ? [{ form: as as Form, version }] : [];
  });
}

/** The form that a server which supports all of them would choose; undefined if none of them is JSON. */
export const firstJsonForm = (header: string | undefined): JsonForm | undefined => jsonForms(header)[0];

/** The form of a JSON response that this server builds, which is never of the older version; undefined if there is none. */
export const jsonForm = (header: string | undefined): Form | undefined =>
  jsonForms(header).find(({ version }) => version !== 'v1beta1')?.form;

/** The clauses of an Accept header that JSON satisfies, as not every response has every form. Undefined if there are none. */
export const acceptOnlyJson = (header: string | undefined): string | undefined =>
  jsonForms(header)
    .map(({ form, version }) => acceptFor(form, version))
    .join(',') || undefined;

/** The Accept header that requests exactly this form. */
export const acceptFor = (form: Form, version = 'v1'): string =>
  form === 'object' ? 'application/json' : `application/json;as=${form};v=${version};g=meta.k8s.io`;

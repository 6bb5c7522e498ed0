/** Parses field selectors, with apimachinery's grammar and error texts (`pkg/fields/selector.go`). */

import { badRequest } from '../status.ts';

export interface FieldTerm {
  field: string;
  value: string;
  equal: boolean;
}

type Fields = Readonly<Record<string, string>>;

/** `known` are the fields of the kind; others are refused, as in kube-apiserver. */
export function parseFieldSelector(
  selector: string,
  known: readonly string[],
  unknownText: (field: string, known: readonly string[]) => string = unknownField,
): FieldTerm[] {
  const terms = readFieldTerms(selector);
  for (const { field } of terms) if (!known.includes(field)) throw badRequest(unknownText(field, known));
  return terms;
}

/** Parses a selector for any kind. */
export function readFieldTerms(selector: string): FieldTerm[] {
  const terms = splitTerms(selector).sort();
  return (
    terms
      .filter((term) => term !== '')
      .map((term) => {
        const [, field, operator, value] = /^(.*?)(!=|==|=)(.*)$/s.exec(term) ?? [];
        if (field === undefined) throw badRequest(`invalid selector: '${selector}'; can't understand '${term}'`);
        return { field, equal: operator !== '!=', value: unescaped(value!) };
      })
      // An empty field that equals an empty value selects everything.
      .filter(({ field, value, equal }) => field !== '' || value !== '' || !equal)
  );
}

export const matchesFields = (terms: readonly FieldTerm[], fields: Fields): boolean =>
  terms.every(({ field, value, equal }) => ((fields[field] ?? '') === value) === equal);

/** The only name that can match, if there is one. */
export const selectedName = (terms: readonly FieldTerm[]): string | undefined =>
  terms.find(({ field, equal }) => equal && field === 'metadata.name')?.value;

/** kube-apiserver has another message for kinds without fields of their own. */
const unknownField = (field: string, known: readonly string[]): string =>
  known.every((one) => one.startsWith('metadata.'))
    ? `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`
    : unsupportedField(field);

export const unsupportedField = (field: string): string => `field label not supported: ${field}`;

/** Commas after a backslash belong to the value. */
function splitTerms(selector: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let at = 0; at < selector.length; at += 1) {
    if (selector[at] === '\\') at += 1;
    else if (selector[at] === ',') {
      terms.push(selector.slice(start, at));
      start = at + 1;
    }
  }
  return [...terms, selector.slice(start)];
}

function unescaped(value: string): string {
  return value.replace(/\\(.?)|[,=]/gsu, (found, escaped: string | undefined) => {
    // Go prints the character as a number.
    if (escaped === undefined) {
      throw badRequest(`invalid field selector: unescaped character in value: ${found.codePointAt(0)}`);
    }
    if (!['\\', ',', '='].includes(escaped)) {
      throw badRequest(`invalid field selector: invalid escape sequence: ${found}`);
    }
    return escaped;
  });
}

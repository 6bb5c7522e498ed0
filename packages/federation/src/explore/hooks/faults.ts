/** What is wrong with an object, as causes of a Kubernetes Status with the words of its field errors. */

export interface Fault {
  reason: 'FieldValueRequired' | 'FieldValueInvalid' | 'FieldValueNotSupported' | 'FieldValueDuplicate';
  field: string;
  message: string;
}

export const required = (field: string, detail = ''): Fault => ({
  reason: 'FieldValueRequired',
  field,
  message: detail ? `Required value: ${detail}` : 'Required value',
});

export const invalid = (field: string, value: unknown, detail: string): Fault => ({
  reason: 'FieldValueInvalid',
  field,
  message: `Invalid value: ${shown(value)}: ${detail}`,
});

export const notSupported = (field: string, value: unknown, supported: readonly string[]): Fault => ({
  reason: 'FieldValueNotSupported',
  field,
  message: `Unsupported value: ${shown(value)}: supported values: ${supported.toSorted().map(shown).join(', ')}`,
});

export const duplicate = (field: string, value: unknown): Fault => ({
  reason: 'FieldValueDuplicate',
  field,
  message: `Duplicate value: ${shown(value)}`,
});

/** An invalid value may be of any size, and goes into a Status. */
const longestShown = 256;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return text.length <= longestShown ? text : `${text.slice(0, longestShown)}…`;
}

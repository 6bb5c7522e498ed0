/** Why a policy is refused, as causes of a Kubernetes Status. */

/** Fits `StatusCause`. */
export interface Fault {
  reason: 'FieldValueInvalid' | 'FieldValueNotSupported' | 'FieldValueRequired';
  field: string;
  message: string;
}

/** Objects and lists have no value here: kube-apiserver does not show them either where a rule of a schema refuses them. */
export const invalid = (field: string, value: string | number | undefined, detail: string): Fault => ({
  reason: 'FieldValueInvalid',
  field,
  message: value === undefined ? `Invalid value: ${detail}` : `Invalid value: ${JSON.stringify(value)}: ${detail}`,
});

export const notSupported = (field: string, value: string, supported: readonly string[]): Fault => ({
  reason: 'FieldValueNotSupported',
  field,
  message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${supported.map((one) => JSON.stringify(one)).join(', ')}`,
});

export const required = (field: string, detail: string): Fault => ({
  reason: 'FieldValueRequired',
  field,
  message: `Required value: ${detail}`,
});

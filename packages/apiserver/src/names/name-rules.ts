/** Validates names, label keys and label values, with the error texts of apimachinery's `validate/content`. */

const dnsLabel = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const dnsSubdomain = `${dnsLabel}(\\.${dnsLabel})*`;
const labelKeyName = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValue = `(${labelKeyName})?`;

const isDnsLabel = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const isDnsSubdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const isLabelKeyName = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const isLabelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

const bytesOf = (text: string): number => Buffer.byteLength(text);
/** The limit is in bytes, which error texts call characters for names. */
const tooLong = (limit: number, what = 'characters'): string => `must be no more than ${limit} ${what}`;

const mismatch = (rule: string, pattern: string, examples: readonly string[]): string =>
  `${rule} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}regex used for validation is '${pattern}')`;

/** Returns error texts; none if the name is valid. */
export type NameRule = (name: string) => string[];

export const dnsLabelFaults: NameRule = (name) => {
  const faults = bytesOf(name) > 63 ? [tooLong(63)] : [];
  if (isDnsLabel.test(name)) return faults;
  const rule =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
  const dots = isDnsSubdomain.test(name);
  return [...faults, dots ? 'must not contain dots' : mismatch(rule, dnsLabel, ['my-name', '123-abc'])];
};

export const dnsSubdomainFaults: NameRule = (name) => {
  const faults = bytesOf(name) > 253 ? [tooLong(253)] : [];
  if (isDnsSubdomain.test(name)) return faults;
  const rule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
  return [...faults, mismatch(rule, dnsSubdomain, ['example.com'])];
};

const looseSubdomain = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*';
const isLooseLabel = /^_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;
const looseSubdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character";

/** Also accepts underscores. */
export const looseSubdomainFaults: NameRule = (name) => {
  const faults = bytesOf(name) > 253 ? [tooLong(253)] : [];
  if (name.split('.').every((label) => isLooseLabel.test(label))) return faults;
  return [...faults, mismatch(looseSubdomainRule, looseSubdomain, ['example.com'])];
};

const dns1035Label = '[a-z]([-a-z0-9]*[a-z0-9])?';
const isDns1035Label = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

export const dns1035LabelFaults: NameRule = (name) => {
  const faults = bytesOf(name) > 63 ? [tooLong(63)] : [];
  if (isDns1035Label.test(name)) return faults;
  const rule =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
  return [...faults, mismatch(rule, dns1035Label, ['my-name', 'abc-123'])];
};

const labelKeyRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const labelKeyExamples = ['MyName', 'my.name', '123-abc'];

export const labelKeyFaults: NameRule = (key) => {
  const parts = key.split('/');
  if (parts.length > 2) {
    const text = mismatch(labelKeyRule, labelKeyName, labelKeyExamples);
    return [`a valid label key ${text} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const name = parts.at(-1)!;
  const faults = parts.length === 2 ? prefixFaults(parts[0]!) : [];
  if (name === '') faults.push('name part must be non-empty');
  else if (bytesOf(name) > 63) faults.push(`name part ${tooLong(63, 'bytes')}`);
  if (!isLabelKeyName.test(name)) faults.push(`name part ${mismatch(labelKeyRule, labelKeyName, labelKeyExamples)}`);
  return faults;
};

const prefixFaults = (prefix: string): string[] =>
  prefix === ''
    ? ['prefix part must be non-empty']
    : dnsSubdomainFaults(prefix).map((fault) => `prefix part ${fault.replace('253 characters', '253 bytes')}`);

export const labelValueFaults: NameRule = (value) => {
  const faults = bytesOf(value) > 63 ? [tooLong(63, 'bytes')] : [];
  if (isLabelValue.test(value)) return faults;
  const rule =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  return [...faults, mismatch(rule, labelValue, ['MyValue', 'my_value', '12345'])];
};

/** The rule for names of every kind, as they are path segments. */
export const pathSegmentFaults: NameRule = (name) =>
  name === '.' || name === '..'
    ? [`may not be '${name}'`]
    : ['/', '%'].filter((char) => name.includes(char)).map((char) => `may not contain '${char}'`);

/** A name to which a suffix will be appended may end in a dash. */
export const asPrefix = (name: string): string =>
  name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;

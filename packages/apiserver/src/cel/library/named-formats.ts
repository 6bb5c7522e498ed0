/** The library of named formats, such as `format.dns1123Label().validate(text)`. */

import {
  asPrefix,
  dns1035LabelFaults,
  dnsLabelFaults,
  dnsSubdomainFaults,
  labelKeyFaults,
  labelValueFaults,
  type NameRule,
} from '../../names/name-rules.ts';
import { fitsFormat } from '../../schema/custom/formats.ts';
import type { FunctionDeclaration, Library } from '../environment.ts';
import * as types from '../types.ts';
import { Foreign, none, noSuchOverload, Optional, PlainList, type Value } from '../values.ts';
import { asText, declare, free, member } from './declare.ts';
import { parseUrl, UrlError } from './url.ts';

const { list, optional, string, struct } = types;
const format = struct('kubernetes.NamedFormat');

export class NamedFormat extends Foreign {
  readonly type = format;
  readonly name: string;
  readonly faults: NameRule;
  /** The size of its regular expression, for the cost. */
  readonly expressionSize: number;
  constructor(name: string, expressionSize: number, faults: NameRule) {
    super();
    this.name = name;
    this.expressionSize = expressionSize;
    this.faults = faults;
  }
  equals(other: Foreign): boolean {
    return other instanceof NamedFormat && other.name === this.name;
  }
}

const prefixOf =
  (rule: NameRule): NameRule =>
  (name) =>
    rule(asPrefix(name));

const checked =
  (name: string, fault: string): NameRule =>
  (text) =>
    fitsFormat(name, text) ? [] : [fault];

function urlFaults(text: string): string[] {
  try {
    parseUrl(text);
    return [];
  } catch (error) {
    if (error instanceof UrlError) return [error.message];
    throw error;
  }
}

const formats: { [name: string]: NamedFormat } = {
  dns1123Label: new NamedFormat('DNS1123Label', 30, dnsLabelFaults),
  dns1123Subdomain: new NamedFormat('DNS1123Subdomain', 60, dnsSubdomainFaults),
  dns1035Label: new NamedFormat('DNS1035Label', 30, dns1035LabelFaults),
  qualifiedName: new NamedFormat('QualifiedName', 60, labelKeyFaults),
  dns1123LabelPrefix: new NamedFormat('DNS1123LabelPrefix', 30, prefixOf(dnsLabelFaults)),
  dns1123SubdomainPrefix: new NamedFormat('DNS1123SubdomainPrefix', 60, prefixOf(dnsSubdomainFaults)),
  dns1035LabelPrefix: new NamedFormat('DNS1035LabelPrefix', 30, prefixOf(dns1035LabelFaults)),
  labelValue: new NamedFormat('LabelValue', 40, labelValueFaults),
  uri: new NamedFormat('URI', 1103, urlFaults),
  uuid: new NamedFormat('uuid', 84, checked('uuid', 'does not match the UUID format')),
  byte: new NamedFormat('byte', 84, checked('byte', 'invalid base64')),
  date: new NamedFormat('date', 161, checked('date', 'invalid date')),
  datetime: new NamedFormat('datetime', 161, checked('datetime', 'invalid datetime')),
};

function validate([given, text]: readonly Value[]): Value {
  if (!(given instanceof NamedFormat)) throw noSuchOverload();
  const faults = given.faults(asText(text));
  return faults.length === 0 ? none : new Optional(new PlainList(faults));
}

const constants = Object.entries(formats).map(([name, one]): [string, FunctionDeclaration] => [
  `format.${name}`,
  declare([free(`format.${name}`, [], format)], () => one),
]);

export const namedFormats: Library = {
  ...Object.fromEntries(constants),
  validate: declare([member('format-validate', [format, string], optional(list(string)))], validate),
  'format.named': declare([free('format-named', [string], optional(format))], ([name]) =>
    Object.hasOwn(formats, asText(name)) ? new Optional(formats[asText(name)]) : none,
  ),
};

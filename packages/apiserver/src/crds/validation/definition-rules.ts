/** Validates a definition, with kube-apiserver's errors (`ValidateCustomResourceDefinition`). */

import { equalJson, type JsonValue } from '@fleet/kube/json-value.ts';
import { type FieldError, invalidNamedText, invalidValue, notSupported, required } from '../../errors/field-error.ts';
import { dns1035LabelFaults, dnsSubdomainFaults } from '../../names/name-rules.ts';
import type { Schema } from '../../schema/open-api.ts';
import { type Definition, type DefinitionStatus, isTrue, type Version } from '../definition.ts';
import { approvalErrors } from './approval.ts';
import { conversionErrors } from './conversion-rules.ts';
import { defaultErrors } from './default-rules.ts';
import { RuleCosts } from './expression-rules.ts';
import { type Hoisted, hoisted, shownVersions } from './hoisted.ts';
import { namesErrors } from './names-rules.ts';
import { rootErrors } from './root-rules.ts';
import { schemaErrors } from './schema-rules.ts';
import { structuralErrors } from './structural.ts';
import { columnErrors, scaleErrors, selectableFieldErrors } from './version-rules.ts';

export function definitionErrors(definition: Definition, old?: Definition): FieldError[] {
  const spec = hoisted(definition.spec);
  return [
    ...specErrors(spec),
    ...(old ? immutableErrors(definition, old) : []),
    ...statusErrors(definition.status ?? {}),
    ...storedVersionErrors(definition.status?.storedVersions ?? [], definition.spec.versions ?? []),
    ...approvalErrors(definition, old),
    ...preserveErrors(definition, old),
  ];
}

export const statusErrors = ({ acceptedNames = {} }: DefinitionStatus): FieldError[] =>
  namesErrors(acceptedNames, 'status.acceptedNames');

/** The name is derived from the spec. */
export const nameFaults = ({ spec }: Definition, name: string): string[] => [
  ...dnsSubdomainFaults(name),
  ...(name === `${spec?.names?.plural ?? ''}.${spec?.group ?? ''}` ? [] : ['must be spec.names.plural+"."+spec.group']),
];

function specErrors(spec: Hoisted): FieldError[] {
  const { names } = spec;
  const versions = spec.versions ?? [];
  const errors = [...groupErrors(spec.group ?? ''), ...scopeErrors(spec.scope ?? '')];
  if (!spec.validation?.openAPIV3Schema) {
    for (const [index, { schema }] of versions.entries()) {
      if (!schema?.openAPIV3Schema) errors.push(required(`spec.versions[${index}].schema.openAPIV3Schema`));
    }
  }
  for (const [index, version] of versions.entries())
    errors.push(...versionErrors(version, spec, `spec.versions[${index}]`));
  errors.push(...versionsErrors(spec.versions));
  // The first version is also published in the field `version` of the time when there was only one.
  const [first] = versions;
  const faults = first?.name ? dns1035LabelFaults(first.name) : [];
  if (faults.length > 0) errors.push(invalidValue('spec.version', first!.name, faults.join(',')));
  for (const name of ['plural', 'singular', 'kind', 'listKind'] as const) {
    if (!names?.[name]) errors.push(required(`spec.names.${name}`));
  }
  errors.push(...namesErrors(names ?? {}, 'spec.names'));
  const anyStatus = [spec, ...versions].some(({ subresources }) => subresources?.status !== undefined);
  errors.push(...validationErrors(spec.validation?.openAPIV3Schema, anyStatus, 'spec.validation'));
  errors.push(...scaleErrors(spec.subresources, 'spec.subresources'));
  for (const [index, column] of (spec.additionalPrinterColumns ?? []).entries()) {
    errors.push(...columnErrors(column, `spec.additionalPrinterColumns[${index}]`));
  }
  errors.push(
    ...selectableFieldErrors(spec.selectableFields, spec.validation?.openAPIV3Schema, 'spec.selectableFields', true),
  );
  errors.push(...conversionErrors(spec.conversion));
  return errors;
}

function groupErrors(group: string): FieldError[] {
  if (!group) return [required('spec.group')];
  const faults = dnsSubdomainFaults(group);
  if (faults.length > 0) return [invalidValue('spec.group', group, faults.join(','))];
  return group.includes('.') ? [] : [invalidValue('spec.group', group, 'should be a domain with at least one dot')];
}

function scopeErrors(scope: string): FieldError[] {
  if (!scope) return [required('spec.scope')];
  return ['Cluster', 'Namespaced'].includes(scope)
    ? []
    : [notSupported('spec.scope', scope, ['Cluster', 'Namespaced'])];
}

function versionErrors(version: Version, { subresources }: Hoisted, path: string): FieldError[] {
  const faults = dns1035LabelFaults(version.name ?? '');
  const hasStatus = (version.subresources ?? subresources)?.status !== undefined;
  const schema = version.schema?.openAPIV3Schema;
  return [
    ...(faults.length > 0 ? [invalidValue(`${path}.name`, version.name ?? '', faults.join(','))] : []),
    ...deprecationFaults(version).map((fault) =>
      // A JSON value, as Go has a pointer here.
      invalidValue(`${path}.deprecationWarning`, Object(version.deprecationWarning), fault),
    ),
    ...validationErrors(schema, hasStatus, `${path}.schema`),
    ...scaleErrors(version.subresources, `${path}.subresources`),
    ...(version.additionalPrinterColumns ?? []).flatMap((column, index) =>
      columnErrors(column, `${path}.additionalPrinterColumns[${index}]`),
    ),
    ...selectableFieldErrors(version.selectableFields, schema, `${path}.selectableFields`, false),
  ];
}

function deprecationFaults({ deprecated, deprecationWarning }: Version): string[] {
  if (deprecationWarning === undefined) return [];
  if (!deprecated) return ['can only be set for deprecated versions'];
  const odd = deprecationWarning.search(/[\p{C}\p{Zl}\p{Zp}]/u);
  const at = Buffer.byteLength(deprecationWarning.slice(0, Math.max(0, odd)));
  return [
    ...(Buffer.byteLength(deprecationWarning) > 256 ? ['must be <= 256 characters long'] : []),
    ...(deprecationWarning === '' ? ['must not be an empty string'] : []),
    ...(odd >= 0 ? [`must only contain printable UTF-8 characters; non-printable character found at index ${at}`] : []),
  ];
}

/** Go distinguishes null from an empty list. */
function versionsErrors(given: readonly Version[] | null | undefined): FieldError[] {
  const versions = given ?? [];
  const shown = given ? shownVersions(given) : null;
  const wrong = (why: string): FieldError => invalidValue('spec.versions', shown, why);
  const names = versions.map(({ name }) => name);
  return [
    ...(new Set(names).size < names.length ? [wrong('must contain unique version names')] : []),
    ...(versions.filter(({ storage }) => storage).length === 1
      ? []
      : [wrong('must have exactly one version marked as storage version')]),
  ];
}

/** Expressions are checked only if the schema itself is valid. */
function validationErrors(schema: Schema | undefined, hasStatus: boolean, path: string): FieldError[] {
  if (!schema) return [];
  const at = `${path}.openAPIV3Schema`;
  const structural = structuralErrors(schema, at);
  const before = structural.length > 0 ? structural : defaultErrors(schema, at);
  const costs = before.length > 0 ? undefined : new RuleCosts();
  return [
    ...rootErrors(schema, hasStatus, at),
    ...before,
    ...schemaErrors(schema, at, costs),
    ...(costs?.errors(at) ?? []),
  ];
}

function storedVersionErrors(stored: readonly string[], versions: readonly Version[]): FieldError[] {
  const path = 'status.storedVersions';
  if (stored.length === 0) return [invalidValue(path, null, 'must have at least one stored version')];
  const storage = versions.filter((version) => version.storage && !stored.includes(version.name));
  const gone = stored.filter((name) => !versions.some((version) => version.name === name));
  return [
    ...storage.map(({ name }) => invalidValue(path, stored, `must have the storage version ${name}`)),
    ...gone.map((name) =>
      invalidValue(
        `${path}[${stored.indexOf(name)}]`,
        name,
        `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
      ),
    ),
  ];
}

function immutableErrors({ spec }: Definition, old: Definition): FieldError[] {
  const same = (value: unknown, before: unknown, field: string, wrong = invalidValue): FieldError[] =>
    equalJson((value ?? null) as JsonValue, (before ?? null) as JsonValue)
      ? []
      : [wrong(field, value ?? '', 'field is immutable')];
  const established = isTrue(old, 'Established');
  return [
    ...(established ? same(spec.scope, old.spec.scope, 'spec.scope', invalidNamedText) : []),
    ...(established ? same(spec.names.kind, old.spec.names.kind, 'spec.names.kind') : []),
    ...same(spec.group, old.spec.group, 'spec.group'),
    ...same(spec.names.plural, old.spec.names.plural, 'spec.names.plural'),
  ];
}

function preserveErrors({ spec }: Definition, old: Definition | undefined): FieldError[] {
  if (old?.spec.preserveUnknownFields || !spec.preserveUnknownFields) return [];
  const why = 'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [invalidValue('spec.preserveUnknownFields', true, why)];
}

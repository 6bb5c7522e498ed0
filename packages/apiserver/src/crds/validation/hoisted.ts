/**
 * Converts a definition to the form that kube-apiserver validates: fields that are the same in all versions are moved to the top
 * level. So errors in the schema of a definition with one version are about `spec.validation`, not `spec.versions[0].schema`.
 */

import { equalJson, type JsonObject, type JsonValue } from '@fleet/kube/json-value.ts';
import type { Rule } from '../../schema/open-api.ts';
import type { Conversion, DefinitionSpec, PrinterColumn, Subresources, Version } from '../definition.ts';

type PerVersion = Pick<Version, 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields'>;

export interface Hoisted extends Omit<DefinitionSpec, 'conversion'> {
  validation?: Version['schema'];
  subresources?: Subresources;
  additionalPrinterColumns?: PrinterColumn[];
  selectableFields?: { jsonPath: string }[];
  conversion?: Conversion;
}

const asJson = (value: unknown): JsonValue => (value ?? null) as JsonValue;

export function hoisted(spec: DefinitionSpec): Hoisted {
  const [first, ...others] = spec.versions ?? [];
  if (!first) return spec;
  const alike = (field: keyof PerVersion): boolean =>
    others.every((version) => equalJson(asJson(version[field]), asJson(first[field])));
  const fields = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;
  const shared = fields.filter(alike);
  const take = <Field extends keyof PerVersion>(field: Field): PerVersion[Field] | undefined =>
    shared.includes(field) ? first[field] : undefined;
  return {
    ...spec,
    ...defined({
      validation: take('schema'),
      subresources: take('subresources'),
      additionalPrinterColumns: take('additionalPrinterColumns'),
      selectableFields: take('selectableFields'),
    }),
    versions: spec.versions.map((version) => {
      const own = { ...version };
      for (const field of shared) delete own[field];
      return own;
    }),
  };
}

const defined = <Held extends object>(object: Held): { [Key in keyof Held]?: Exclude<Held[Key], undefined> } =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as never;

/** Versions as error texts show them: with the names of Go's fields. */
export const shownVersions = (versions: readonly Version[]): JsonObject[] =>
  versions.map((version) => ({
    Name: version.name ?? '',
    Served: version.served ?? false,
    Storage: version.storage ?? false,
    Deprecated: version.deprecated ?? false,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: asJson(version.schema && { OpenAPIV3Schema: version.schema.openAPIV3Schema ?? null }),
    Subresources: asJson(
      version.subresources && { Status: version.subresources.status ?? null, Scale: shownScale(version) },
    ),
    AdditionalPrinterColumns: asJson(version.additionalPrinterColumns?.map(shownColumn)),
    SelectableFields: asJson(version.selectableFields?.map(({ jsonPath }) => ({ JSONPath: jsonPath }))),
  }));

const shownScale = ({ subresources }: Version): JsonValue =>
  subresources?.scale
    ? {
        SpecReplicasPath: subresources.scale.specReplicasPath,
        StatusReplicasPath: subresources.scale.statusReplicasPath,
        LabelSelectorPath: subresources.scale.labelSelectorPath ?? null,
      }
    : null;

const shownColumn = (column: PrinterColumn): JsonObject => ({
  Name: column.name,
  Type: column.type,
  Format: column.format ?? '',
  Description: column.description ?? '',
  Priority: column.priority ?? 0,
  JSONPath: column.jsonPath,
});

export const shownRule = ({
  rule,
  message,
  messageExpression,
  reason,
  fieldPath,
  optionalOldSelf,
}: Rule): JsonObject => ({
  Rule: rule,
  Message: message ?? '',
  MessageExpression: messageExpression ?? '',
  Reason: reason ?? null,
  FieldPath: fieldPath ?? '',
  OptionalOldSelf: optionalOldSelf ?? null,
});

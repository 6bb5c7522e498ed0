/** Validates the printer columns, selectable fields and scale of a version. */

import { type FieldError, invalidValue, required } from '../../errors/field-error.ts';
import type { Schema } from '../../schema/open-api.ts';
import type { PrinterColumn, Subresources } from '../definition.ts';
import { resolvePath } from '../rules/field-path.ts';

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

export function columnErrors({ name, type, format, jsonPath }: PrinterColumn, path: string): FieldError[] {
  const types = `must be one of ${columnTypes.join(',')}`;
  return [
    ...(name ? [] : [required(`${path}.name`)]),
    ...(type
      ? columnTypes.includes(type)
        ? []
        : [invalidValue(`${path}.type`, type, types)]
      : [required(`${path}.type`, types)]),
    ...(format && !columnFormats.includes(format)
      ? [invalidValue(`${path}.format`, format, `must be one of ${columnFormats.join(',')}`)]
      : []),
    ...(jsonPath ? pathErrors(jsonPath, `${path}.JSONPath`) : [required(`${path}.JSONPath`)]),
  ];
}

const pathErrors = (jsonPath: string, field: string): FieldError[] =>
  jsonPath.startsWith('.') ? [] : [invalidValue(field, jsonPath, 'must be a simple json path starting with .')];

export function scaleErrors(subresources: Subresources | undefined, path: string): FieldError[] {
  const { scale } = subresources ?? {};
  if (!scale) return [];
  const under = (field: string, value: string | undefined, roots: readonly string[], prose: string): FieldError[] => {
    const at = `${path}.scale.${field}`;
    if (!value) return field === 'labelSelectorPath' ? [] : [required(at)];
    const errors = pathErrors(value, at);
    if (errors.length > 0 || roots.some((root) => value.startsWith(root))) return errors;
    return [invalidValue(at, value, `should be a json path under ${prose}`)];
  };
  return [
    ...under('specReplicasPath', scale.specReplicasPath, ['.spec.'], '.spec'),
    ...under('statusReplicasPath', scale.statusReplicasPath, ['.status.'], '.status'),
    ...under('labelSelectorPath', scale.labelSelectorPath, ['.spec.', '.status.'], 'either .spec or .status'),
  ];
}

const mostSelectable = 8;

export function selectableFieldErrors(
  fields: readonly { jsonPath: string }[] | undefined,
  schema: Schema | undefined,
  path: string,
  isHoisted: boolean,
): FieldError[] {
  if (!fields || fields.length === 0) return [];
  if (!schema) {
    const why = isHoisted
      ? 'may only be set when validations.schema is included'
      : 'may only be set when `version.schema.openAPIV3Schema` is not included';
    return [invalidValue(path, '', why)];
  }
  const seen = new Set<string>();
  const errors = fields.flatMap(({ jsonPath }, index) =>
    oneFieldErrors(jsonPath, schema, `${path}[${index}].jsonPath`, seen),
  );
  if (seen.size <= mostSelectable) return errors;
  const detail = `must have at most ${mostSelectable} items`;
  return [...errors, { type: 'FieldValueTooMany', field: path, value: seen.size, detail }];
}

function oneFieldErrors(jsonPath: string, schema: Schema, path: string, seen: Set<string>): FieldError[] {
  if (!jsonPath) return [required(path)];
  const wrong = (why: string): FieldError => invalidValue(path, jsonPath, why);
  const found = resolvePath(jsonPath, schema, false);
  if (typeof found === 'string') return [wrong(`is an invalid path: ${found}`)];
  const errors: FieldError[] = [];
  if (found.root === 'metadata') errors.push(wrong('must not point to fields in metadata'));
  if (!['string', 'boolean', 'integer'].includes(found.schema.type ?? '')) {
    errors.push(
      wrong(
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
      ),
    );
  }
  if (seen.has(found.path)) errors.push({ type: 'FieldValueDuplicate', field: path, value: jsonPath });
  seen.add(found.path);
  return errors;
}

/** Validates defaults in a schema against the schema of their field (`ValidateDefaults`). */

import { equalJson, type JsonValue } from '@fleet/kube/json-value.ts';
import { type FieldError, invalidValue } from '../../errors/field-error.ts';
import { pruneValue } from '../../schema/custom/prune.ts';
import { validateCustomValue } from '../../schema/custom/validate.ts';
import type { Schema } from '../../schema/open-api.ts';
import { checkRulesAt } from '../rules/check-rules.ts';
import { ruleTree } from '../rules/rule-tree.ts';

export function defaultErrors(schema: Schema, path: string): FieldError[] {
  const own =
    schema.default === undefined || schema.default === null ? [] : errorsOf(schema.default, schema, `${path}.default`);
  return [
    ...own,
    ...(schema.items ? defaultErrors(schema.items, `${path}.items`) : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
      defaultErrors(one, `${path}.properties[${name}]`),
    ),
  ];
}

function errorsOf(value: JsonValue, schema: Schema, path: string): FieldError[] {
  const pruned = pruneValue(value, schema);
  const unknown = equalJson(pruned, value) ? [] : [invalidValue(path, value, 'must not have unknown fields')];
  const wrong = validateCustomValue(value, schema, path);
  if (wrong.length > 0) return [...unknown, ...wrong];
  const tree = ruleTree(schema, false);
  return tree ? [...unknown, ...checkRulesAt(tree, value, path)] : unknown;
}

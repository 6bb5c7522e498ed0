/** All rules of a schema, as a tree of its fields. */

import type { Schema } from '../../schema/open-api.ts';
import { type CompiledRule, compileRules } from './compile-rules.ts';
import { type DeclaredType, declaredType, withMetadata } from './declared-type.ts';
import { escapedName } from './escaped-name.ts';

export interface RuleTree {
  rules: readonly CompiledRule[];
  schema: Schema;
  items?: RuleTree | undefined;
  properties: ReadonlyMap<string, RuleTree>;
  additional?: RuleTree | undefined;
}

/** Undefined if there are none. The root is an object with metadata. */
export const ruleTree = (schema: Schema, isRoot = true): RuleTree | undefined =>
  hasRules(schema) ? treeAt(schema, isRoot, declaredType(schema, isRoot, 'selfType')) : undefined;

function hasRules({
  'x-kubernetes-validations': rules,
  items,
  additionalProperties,
  properties = {},
}: Schema): boolean {
  return (
    (rules?.length ?? 0) > 0 ||
    (items !== undefined && hasRules(items)) ||
    (typeof additionalProperties === 'object' && hasRules(additionalProperties)) ||
    Object.values(properties).some(hasRules)
  );
}

function treeAt(schema: Schema, isRoot: boolean, declared: DeclaredType | undefined): RuleTree | undefined {
  if (!declared || !hasRules(schema)) return undefined;
  const below = (one: Schema, type: DeclaredType | undefined) =>
    treeAt(one, one['x-kubernetes-embedded-resource'] === true, type);
  const { items, additionalProperties } = schema;
  const properties = Object.entries(schema.properties ?? {}).flatMap(([name, one]): [string, RuleTree][] => {
    const escaped = escapedName(name);
    const type =
      escaped === undefined
        ? declaredType(one, one['x-kubernetes-embedded-resource'] === true, 'selfType')
        : declared.fields?.get(escaped);
    const tree = below(one, type);
    return tree ? [[name, tree]] : [];
  });
  return {
    rules: compileRules(schema['x-kubernetes-validations'] ?? [], schema, declared),
    schema: isRoot ? withMetadata(schema) : schema,
    items: items && below(items, declared.element),
    properties: new Map(properties),
    additional: typeof additionalProperties === 'object' ? below(additionalProperties, declared.element) : undefined,
  };
}

/** Small bugs, each of which the comparison must notice. */

import type { Mutant } from '@fleet/bed/mutant.ts';

interface Planted {
  name: string;
  part: 'definitions' | 'rules' | 'objects';
  mutant: Mutant;
}

const planted = (name: string, part: Planted['part'], file: string, from: string, to: string): Planted => ({
  name,
  part,
  mutant: { file: `apiserver/src/${file}`, from, to },
});

export const mutants: readonly Planted[] = [
  planted(
    'a cost that is not counted',
    'definitions',
    'crds/validation/expression-rules.ts',
    'if (cost > mostPerExpression)',
    'if (cost > Number.POSITIVE_INFINITY)',
  ),
  planted(
    'schemas that need no types',
    'definitions',
    'crds/validation/structural.ts',
    'return type || needsNone ?',
    'return true ?',
  ),
  planted(
    'keys that need no default',
    'definitions',
    'crds/validation/extension-rules.ts',
    'property.default === undefined',
    'false',
  ),
  planted('&& that stops at an error', 'rules', 'cel/evaluate.ts', 'if (first === decisive) return decisive;', ''),
  planted('integers that overflow', 'rules', 'cel/library/declare.ts', 'value < smallest || value > largest', 'false'),
  planted('sets that have an order', 'rules', 'crds/rules/data-values.ts', "case 'set':", "case 'atomic':"),
  planted(
    'rules of transitions without a before',
    'rules',
    'crds/rules/check-rules.ts',
    'return old ? new Optional(old()) : none;',
    'return none;',
  ),
  planted(
    'messages that are not made',
    'rules',
    'crds/rules/check-rules.ts',
    'if (!message) return undefined;',
    'return undefined;',
  ),
  planted(
    'fields that are not pruned',
    'objects',
    'schema/custom/prune.ts',
    'if (path || !metaFields.has(key)) unknown.push(here);',
    'return one;',
  ),
  planted(
    'defaults that are not set',
    'objects',
    'crds/custom/custom-types.ts',
    'withDefaults(json, expected.schema) as JsonObject',
    'json',
  ),
  planted(
    'versions with the name of another',
    'objects',
    'crds/custom/custom-kind.ts',
    'apiVersion: shown!',
    'apiVersion: kept!',
  ),
  planted(
    'a status that brings metadata',
    'objects',
    'crds/custom/custom-kind.ts',
    "if (subresource !== 'status') return;",
    'if (subresource) return;',
  ),
  planted(
    'columns by another path',
    'objects',
    'crds/custom/json-path.ts',
    "'==': (order) => order === 0",
    "'==': (order) => order !== 0",
  ),
];

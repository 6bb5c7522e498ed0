/** Reads the dependencies that a hook returns (EXP-4): each has apiVersion, kind, and a name or, in the type of Karmada, a selector. */

import { plainLabelRules } from '@fleet/kube/selectors/label-rules.ts';
import type { LabelSelector } from '../../api/objects.ts';
import type { Dependency } from '../object-rules.ts';
import { AnswerError, recordAt, recordsAt, required, textAt, textMapAt, textsAt } from './answer-fields.ts';
import type { Codec, FactsOfKind } from './hook-model.ts';

type Fields = Record<string, unknown>;

/** None where the field is absent: that is how Go writes an empty list. */
export function readDependencies(codec: Codec, response: Fields, factsOf: FactsOfKind): Dependency[] {
  return (recordsAt(response, 'dependencies', 'response') ?? []).map((fields, index) =>
    readDependency(codec, fields, `response.dependencies[${index}]`, factsOf),
  );
}

function readDependency(codec: Codec, fields: Fields, field: string, factsOf: FactsOfKind): Dependency {
  const apiVersion = required(textAt(fields, 'apiVersion', field), `${field}.apiVersion`);
  const kind = required(textAt(fields, 'kind', field), `${field}.kind`);
  const namespace = textAt(fields, 'namespace', field);
  const facts = factsOf({ apiVersion, kind });
  if (facts && facts.namespaced !== (namespace !== undefined)) {
    throw new AnswerError(
      `${field}.namespace ${facts.namespaced ? 'is missing' : 'is given for a kind without namespaces'}`,
    );
  }
  const target = { apiVersion, kind, ...(namespace === undefined ? {} : { namespace }) };
  const name = textAt(fields, 'name', field);
  // Only Karmada's type has a selector, which a name makes void.
  const selector = codec === 'interpret' && name === undefined ? recordAt(fields, 'labelSelector', field) : undefined;
  if (selector) return { ...target, labelSelector: readSelector(selector, `${field}.labelSelector`) };
  return { ...target, name: required(name, `${field}.name`) };
}

function readSelector(selector: Fields, field: string): LabelSelector {
  const matchLabels = textMapAt(selector, 'matchLabels', field);
  for (const [key, value] of Object.entries(matchLabels ?? {})) {
    checkKey(key, `${field}.matchLabels`);
    checkValue(value, `${field}.matchLabels`);
  }
  const matchExpressions = recordsAt(selector, 'matchExpressions', field)?.map((expression, index) =>
    readExpression(expression, `${field}.matchExpressions[${index}]`),
  );
  return { ...(matchLabels ? { matchLabels } : {}), ...(matchExpressions ? { matchExpressions } : {}) };
}

const operators = new Map([
  ['In', true],
  ['NotIn', true],
  ['Exists', false],
  ['DoesNotExist', false],
]);

function readExpression(expression: Fields, field: string): NonNullable<LabelSelector['matchExpressions']>[number] {
  const key = required(textAt(expression, 'key', field), `${field}.key`);
  checkKey(key, `${field}.key`);
  const operator = required(textAt(expression, 'operator', field), `${field}.operator`);
  const takesValues = operators.get(operator);
  if (takesValues === undefined) throw new AnswerError(`${field}.operator is unknown`);
  const values = textsAt(expression, 'values', field) ?? [];
  if (values.length > 0 !== takesValues) {
    throw new AnswerError(
      `${field}.values ${takesValues ? 'are missing' : 'are given for an operator without values'}`,
    );
  }
  for (const value of values) checkValue(value, `${field}.values`);
  return { key, operator, ...(takesValues ? { values } : {}) };
}

function checkKey(key: string, field: string): void {
  if (plainLabelRules.keyFaults(key).length > 0) throw new AnswerError(`${field} is no key of a label`);
}

function checkValue(value: string, field: string): void {
  if (plainLabelRules.valueFaults(value).length > 0) throw new AnswerError(`${field} has no value of a label`);
}

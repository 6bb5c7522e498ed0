/** Validates the podFailurePolicy and successPolicy of a Job. */

import {
  duplicateValue,
  type FieldError,
  invalidNamedText,
  invalidValue,
  invalidWithout,
  notSupported,
  required,
  tooLong,
  tooMany,
} from '../../errors/field-error.ts';
import { quoted } from '../../errors/quoted.ts';
import { labelKeyFaults } from '../../names/name-rules.ts';
import { countErrors } from '../rules/numbers.ts';
import { repeatedIn } from '../rules/repeated.ts';
import { indexesOf } from './indexes.ts';
import type { ExitCodes, FailureRule, JobSpec, SuccessRule } from './job.ts';

const mostRules = 20;
const mostExitCodes = 255;
const longestIndexes = 64 * 1024;
const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const operators = ['In', 'NotIn'];
const statuses = ['False', 'True', 'Unknown'];

/** Go's format of a list of strings. */
const validValues = (values: readonly string[]): string => `valid values: [${values.map(quoted).join(' ')}]`;

const oneOf = (value: string, at: string, values: readonly string[]): FieldError[] => {
  if (value === '') return [required(at, validValues(values))];
  return values.includes(value) ? [] : [notSupported(at, value, values)];
};

export function failurePolicyErrors(spec: JobSpec, at: string): FieldError[] {
  const rules = spec.podFailurePolicy?.rules ?? [];
  const { containers, initContainers = [] } = spec.template.spec ?? {};
  const names = new Set([...(containers ?? []), ...initContainers].map(({ name }) => name));
  return [
    ...(rules.length > mostRules ? [tooMany(`${at}.rules`, rules.length, mostRules)] : []),
    ...rules.flatMap((rule, index) => failureRuleErrors(rule, spec, names, `${at}.rules[${index}]`)),
  ];
}

function failureRuleErrors(
  { action = '', onExitCodes, onPodConditions }: FailureRule,
  spec: JobSpec,
  names: ReadonlySet<string>,
  at: string,
): FieldError[] {
  const conditions = onPodConditions ?? [];
  const needsIndexes = action === 'FailIndex' && spec.backoffLimitPerIndex === undefined;
  return [
    ...(needsIndexes
      ? [invalidNamedText(`${at}.action`, action, 'requires the backoffLimitPerIndex to be set')]
      : oneOf(action, `${at}.action`, actions)),
    ...(onExitCodes ? exitCodeErrors(onExitCodes, names, `${at}.onExitCodes`) : []),
    ...(conditions.length > mostRules ? [tooMany(`${at}.onPodConditions`, conditions.length, mostRules)] : []),
    ...conditions.flatMap(({ type = '', status = '' }, index) => {
      const here = `${at}.onPodConditions[${index}]`;
      return [
        ...labelKeyFaults(type).map((fault) => invalidValue(`${here}.type`, type, fault)),
        ...oneOf(status, `${here}.status`, statuses),
      ];
    }),
    ...(onExitCodes && conditions.length > 0
      ? [invalidWithout(at, 'specifying both OnExitCodes and OnPodConditions is not supported')]
      : []),
    ...(!onExitCodes && conditions.length === 0
      ? [invalidWithout(at, 'specifying one of OnExitCodes and OnPodConditions is required')]
      : []),
  ];
}

function exitCodeErrors(
  { containerName, operator = '', values }: ExitCodes,
  names: ReadonlySet<string>,
  at: string,
): FieldError[] {
  const codes = values ?? [];
  const repeated = repeatedIn(codes);
  return [
    ...oneOf(operator, `${at}.operator`, operators),
    ...(containerName !== undefined && !names.has(containerName)
      ? [
          invalidValue(
            `${at}.containerName`,
            containerName,
            'must be one of the container or initContainer names in the pod template',
          ),
        ]
      : []),
    ...(codes.length === 0 ? [invalidValue(`${at}.values`, values ?? null, 'at least one value is required')] : []),
    ...(codes.length > mostExitCodes ? [tooMany(`${at}.values`, codes.length, mostExitCodes)] : []),
    ...codes.flatMap((code, index) => [
      ...(operator === 'In' && code === 0
        ? [invalidValue(`${at}.values[${index}]`, code, 'must not be 0 for the In operator')]
        : []),
      ...(repeated[index] ? [duplicateValue(`${at}.values[${index}]`, code)] : []),
    ]),
    ...(codes.some((code, index) => index > 0 && codes[index - 1]! > code)
      ? [invalidValue(`${at}.values`, codes, 'must be ordered')]
      : []),
  ];
}

export function successPolicyErrors(spec: JobSpec, at: string): FieldError[] {
  const rules = spec.successPolicy?.rules ?? [];
  return [
    ...(rules.length === 0
      ? [required(`${at}.rules`, 'at least one rules must be specified when the successPolicy is specified')]
      : []),
    ...(rules.length > mostRules ? [tooMany(`${at}.rules`, rules.length, mostRules)] : []),
    ...rules.flatMap((rule, index) => successRuleErrors(rule, spec.completions ?? 0, `${at}.rules[${index}]`)),
  ];
}

function successRuleErrors(rule: SuccessRule, completions: number, at: string): FieldError[] {
  const { succeededIndexes: indexes, succeededCount: count } = rule;
  if (indexes === undefined && count === undefined)
    return [required(at, 'at least one of succeededCount or succeededIndexes must be specified')];
  const found = indexes === undefined ? undefined : indexesOf(indexes, completions);
  const refuse = (why: string) => invalidValue(`${at}.succeededCount`, count, `must be less than or equal to ${why}`);
  return [
    ...(indexes !== undefined && Buffer.byteLength(indexes) > longestIndexes
      ? [tooLong(`${at}.succeededIndexes`, longestIndexes)]
      : []),
    ...(found?.fault === undefined
      ? []
      : [invalidValue(`${at}.succeededIndexes`, indexes, `error parsing succeededIndexes: ${found.fault}`)]),
    ...countErrors(count, `${at}.succeededCount`),
    ...(count !== undefined && count > completions
      ? [refuse(`${completions} (the number of specified completions)`)]
      : []),
    ...(count !== undefined && found && count > found.count
      ? [refuse(`${found.count} (the number of indexes in the specified succeededIndexes field)`)]
      : []),
  ];
}

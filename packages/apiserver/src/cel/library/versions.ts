/** The library of semantic versions. */

import type { Library } from '../environment.ts';
import * as types from '../types.ts';
import { EvaluationError, Foreign, noSuchOverload, type Value } from '../values.ts';
import { asText, declare, free, member } from './declare.ts';

const { bool, int, string, struct } = types;
const semver = struct('kubernetes.Semver');

class Version extends Foreign {
  readonly type = semver;
  readonly numbers: readonly bigint[];
  readonly before: readonly string[];
  constructor(numbers: readonly bigint[], before: readonly string[]) {
    super();
    this.numbers = numbers;
    this.before = before;
  }
  equals(other: Foreign): boolean {
    return other instanceof Version && order(this, other) === 0;
  }
}

const pattern =
  /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

function parsed(text: string): Version | string {
  if (text === '') return 'Version string empty';
  if (text.split('.').length < 3) return 'No Major.Minor.Patch elements found';
  const [, major = '', minor = '', patch = '', before = ''] = pattern.exec(text) ?? [];
  if (major === '') return `Invalid character(s) found in version number "${text}"`;
  const numbers = { major, minor, patch };
  for (const [name, number] of Object.entries(numbers)) {
    if (/^0\d/.test(number))
      return `${name[0]!.toUpperCase()}${name.slice(1)} number must not contain leading zeroes "${number}"`;
  }
  const labels = before === '' ? [] : before.split('.');
  const zeros = labels.find((label) => /^0\d+$/.test(label));
  if (zeros !== undefined) return `Numeric PreRelease version must not contain leading zeroes "${zeros}"`;
  return new Version(Object.values(numbers).map(BigInt), labels);
}

/** Without a `v`, without leading zeros, with all three numbers. */
function normalised(text: string): Version | string {
  const parts = text.replace(/^v/, '').split('.');
  const three = parts.length > 3 ? [...parts.slice(0, 2), parts.slice(2).join('.')] : parts;
  const trimmed = three.map((part) => {
    if (part.length <= 1) return part;
    const rest = part.replace(/^0+/, '');
    return /^\d/.test(rest) ? rest : `0${rest}`;
  });
  if (trimmed.length < 3) {
    if (/[+-]/.test(trimmed.at(-1)!)) return 'short version cannot contain PreRelease/Build meta data';
    while (trimmed.length < 3) trimmed.push('0');
  }
  return parsed(trimmed.join('.'));
}

const read = ([text, normalise]: readonly Value[]): Version | string =>
  normalise === true ? normalised(asText(text)) : parsed(asText(text));

function asVersion(value: Value | undefined): Version {
  if (!(value instanceof Version)) throw noSuchOverload();
  return value;
}

function order(a: Version, b: Version): number {
  for (const [index, number] of a.numbers.entries()) {
    const other = b.numbers[index]!;
    if (number !== other) return number < other ? -1 : 1;
  }
  if (a.before.length === 0 || b.before.length === 0)
    return Math.sign(Number(a.before.length === 0) - Number(b.before.length === 0));
  for (const [index, label] of a.before.entries()) {
    const other = b.before[index];
    if (other === undefined) return 1;
    const step = orderOfLabels(label, other);
    if (step !== 0) return step;
  }
  return a.before.length < b.before.length ? -1 : 0;
}

/** Numbers are compared numerically, and come before texts. */
function orderOfLabels(a: string, b: string): number {
  const [left, right] = [a, b].map((label) => /^\d+$/.test(label)) as [boolean, boolean];
  if (left && right) return Math.sign(Number(BigInt(a) - BigInt(b)));
  if (left !== right) return left ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

const compared = ([a, b]: readonly Value[]): number => order(asVersion(a), asVersion(b));
const number = (id: string, index: number) =>
  declare([member(id, [semver], int)], ([value]) => asVersion(value).numbers[index]!);

export const versions: Library = {
  semver: declare(
    [free('string_to_semver', [string], semver), free('string_bool_to_semver', [string, bool], semver)],
    (args) => {
      const found = read(args);
      if (typeof found === 'string') throw new EvaluationError(found);
      return found;
    },
  ),
  isSemver: declare(
    [free('is_semver_string', [string], bool), free('is_semver_string_bool', [string, bool], bool)],
    (args) => typeof read(args) !== 'string',
  ),
  isGreaterThan: declare([member('semver_is_greater_than', [semver, semver], bool)], (args) => compared(args) > 0),
  isLessThan: declare([member('semver_is_less_than', [semver, semver], bool)], (args) => compared(args) < 0),
  compareTo: declare([member('semver_compare_to', [semver, semver], int)], (args) => BigInt(compared(args))),
  major: number('semver_major', 0),
  minor: number('semver_minor', 1),
  patch: number('semver_patch', 2),
};

/** Checks whether a user's rules cover other rules, and returns the missing ones (component-helpers `auth/rbac/validation`). */

import { quoted } from '../errors/quoted.ts';
import { coversPath, type PolicyRule } from './policy-rule.ts';

/** Splits a rule: each piece has one verb and one group, resource and name, or one path. */
function piecesOf({
  verbs = [],
  apiGroups = [],
  resources = [],
  resourceNames = [],
  nonResourceURLs = [],
}: PolicyRule) {
  const pieces: PolicyRule[] = [];
  for (const group of apiGroups)
    for (const resource of resources)
      for (const verb of verbs) {
        const piece = { apiGroups: [group], resources: [resource], verbs: [verb] };
        if (resourceNames.length === 0) pieces.push(piece);
        else for (const name of resourceNames) pieces.push({ ...piece, resourceNames: [name] });
      }
  for (const path of nonResourceURLs) for (const verb of verbs) pieces.push({ nonResourceURLs: [path], verbs: [verb] });
  return pieces;
}

/** The number of pieces: a few names multiply. */
export const piecesIn = (rules: readonly PolicyRule[]): number =>
  rules.reduce((sum, { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }) => {
    const named = apiGroups.length * resources.length * Math.max(resourceNames.length, 1);
    return sum + verbs.length * (named + nonResourceURLs.length);
  }, 0);

const holds = (list: readonly string[] = [], required: readonly string[] = []): boolean =>
  list.includes('*') || required.every((one) => list.includes(one));

const holdsResource = (list: readonly string[] = [], required: readonly string[] = []): boolean =>
  holds(list, required) ||
  required.every((one) => {
    const slash = one.indexOf('/');
    return list.includes(one) || (slash >= 0 && list.includes(`*${one.slice(slash)}`));
  });

function holdsName(list: readonly string[] = [], required: readonly string[] = []): boolean {
  if (list.length === 0) return true;
  return required.length > 0 && required.every((one) => list.includes(one));
}

const holdsPiece = (owned: PolicyRule, piece: PolicyRule): boolean =>
  holds(owned.verbs, piece.verbs) &&
  holds(owned.apiGroups, piece.apiGroups) &&
  holdsResource(owned.resources, piece.resources) &&
  holdsName(owned.resourceNames, piece.resourceNames) &&
  (piece.nonResourceURLs ?? []).every((path) => (owned.nonResourceURLs ?? []).some((one) => coversPath(one, path)));

/** The pieces of `required` that `owned` does not cover. */
export const missingRules = (owned: readonly PolicyRule[], required: readonly PolicyRule[]): PolicyRule[] =>
  required.flatMap(piecesOf).filter((piece) => !owned.some((rule) => holdsPiece(rule, piece)));

/** Joins pieces that differ only in their verbs. */
function joined(pieces: readonly PolicyRule[]): PolicyRule[] {
  const groups = Map.groupBy(pieces, ({ apiGroups, resources, resourceNames, nonResourceURLs }) =>
    JSON.stringify(nonResourceURLs ? [nonResourceURLs, {}] : [apiGroups, resources, resourceNames]),
  );
  return [...groups.values()].flatMap((same) =>
    same[0]!.nonResourceURLs ? same : [{ ...same[0]!, verbs: same.flatMap(({ verbs }) => verbs) }],
  );
}

const listed = (list: readonly string[]): string => `[${list.map(quoted).join(' ')}]`;

function textOf({
  apiGroups = [],
  resources = [],
  nonResourceURLs = [],
  resourceNames = [],
  verbs,
}: PolicyRule): string {
  const parts = [
    ['APIGroups', apiGroups],
    ['Resources', resources],
    ['NonResourceURLs', nonResourceURLs],
    ['ResourceNames', resourceNames],
    ['Verbs', verbs],
  ] as const;
  const fields = parts.filter(([, list]) => list.length > 0).map(([name, list]) => `${name}:${listed(list)}`);
  return `{${fields.join(', ')}}`;
}

/** The format of error texts. */
export const describeRules = (pieces: readonly PolicyRule[]): string =>
  [...new Set(joined(pieces).map(textOf))].sort().join('\n');

export const listedGroups = listed;

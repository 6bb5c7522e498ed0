/**
 * Parses the clusters in label selectors. The virtual label `clusterspace` selects clusters and is removed (NAME-11). The value of
 * any other label may have a suffix, which names a cluster (NAME-2).
 */

import { badRequest } from '@fleet/kube/status.ts';
import type { StrippedSelector } from './field-selector.ts';
import type { Mention } from './mention.ts';
import { splitName } from './suffixed-name.ts';
import type { ClusterName, ManyClusters } from './target.ts';

export interface StrippedLabels extends StrippedSelector {
  choices: Choice[];
}

/** One requirement on `clusterspace`. */
export interface Choice {
  in: boolean;
  names: readonly ClusterName[];
}

const label = 'clusterspace';

interface Requirement {
  key: string;
  in: boolean;
  values: string[];
}

/** Splits at commas outside of sets. */
const requirements = (selector: string): string[] => selector.match(/(?:[^,(]|\([^)]*\)?)+/g) ?? [];

const operator = /^(?:==|=|!=)/;
const word = /^[^\s()=!]+$/;
const membership = /^\s*([^\s()=!]+)\s+(in|notin)\s*\(([^()]*)\)\s*$/;
const mentionsLabel = /^!?\s*clusterspace(?:[^\w./-]|$)/;

/** Searches for the operator: a pattern of the whole term would backtrack over long white space. */
function readEquality(text: string): Requirement | undefined {
  const at = text.search(/[=!]/);
  const [sign] = operator.exec(at < 0 ? '' : text.slice(at, at + 2)) ?? [];
  if (sign === undefined) return undefined;
  const [key, value] = [text.slice(0, at).trim(), text.slice(at + sign.length).trim()];
  return word.test(key) && (value === '' || word.test(value)) ? { key, in: sign !== '!=', values: [value] } : undefined;
}

/** Undefined for a requirement without values, or an invalid one, which the member reports. */
function readRequirement(text: string): Requirement | undefined {
  const equal = readEquality(text);
  if (equal) return equal;
  const member = membership.exec(text);
  if (!member) return undefined;
  return { key: member[1]!, in: member[2] === 'in', values: member[3]!.split(',').map((value) => value.trim()) };
}

export function stripLabelSelector(selector: string): StrippedLabels {
  const choices: Choice[] = [];
  const mentions: Mention[] = [];
  const stripped = requirements(selector).flatMap((text) => {
    const requirement = readRequirement(text);
    if (requirement?.key === label) {
      choices.push({ in: requirement.in, names: requirement.values });
      return [];
    }
    if (mentionsLabel.test(text.trimStart())) {
      throw badRequest(
        `labelSelector: "${text.trim()}" does not choose clusters: use =, !=, in or notin with ${label}`,
      );
    }
    return [requirement ? withoutSuffixes(text, requirement, mentions) : text];
  });
  const changed = choices.length > 0 || mentions.length > 0;
  return { selector: changed ? stripped.join(',') : selector, mentions, choices };
}

function withoutSuffixes(text: string, { key, in: isIn, values }: Requirement, mentions: Mention[]): string {
  const split = values.map(splitName);
  const suffixed = split.filter(({ cluster }) => cluster !== undefined);
  if (suffixed.length === 0) return text;
  if (!isIn) throw badRequest(`labelSelector: "${text.trim()}" names a cluster: only =, == and in can`);
  const written = text.trim();
  for (const { cluster } of suffixed) mentions.push({ cluster: cluster!, by: 'selector', text: written });
  return `${key} in (${split.map(({ name }) => name).join(',')})`;
}

/** The clusters that all requirements select. */
export function chosenClusters(choices: readonly Choice[]): ManyClusters {
  const except = new Set(choices.filter((choice) => !choice.in).flatMap(({ names }) => names));
  const included = choices.filter((choice) => choice.in).map(({ names }) => new Set(names));
  if (included.length === 0) return except.size === 0 ? {} : { except: [...except] };
  // The smallest set first: each intersection is never larger, so each name is compared once (SEC-3).
  const [smallest, ...others] = included.sort((a, b) => a.size - b.size);
  let only = smallest!.difference(except);
  for (const names of others) only = only.intersection(names);
  return { only: [...only].sort() };
}

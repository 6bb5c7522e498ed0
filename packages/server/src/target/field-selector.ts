/** Suffixed names in field selectors: `involvedObject.name=x.clusterspace.m1` selects `x` in `m1` (NAME-2, NAME-10). */

import { badRequest } from '@fleet/kube/status.ts';
import type { Mention } from './mention.ts';
import { splitName } from './suffixed-name.ts';

export interface StrippedSelector {
  selector: string;
  mentions: Mention[];
}

/** Splits at commas that are not escaped. */
const terms = (selector: string): string[] => selector.match(/(?:[^,\\]|\\.)+/gs) ?? [];

interface Term {
  /** With the white space around it. */
  before: string;
  operator: string;
  value: string;
}

/** Searches for the operator: a pattern of the whole term would backtrack over long white space. */
function readTerm(text: string): Term | undefined {
  const at = text.search(/[=!]/);
  const [operator] = /^(?:==|=|!=)/.exec(text.slice(at, at + 2)) ?? [];
  if (at < 0 || operator === undefined) return undefined;
  return { before: text.slice(0, at), operator, value: text.slice(at + operator.length) };
}

export function stripFieldSelector(selector: string): StrippedSelector {
  const mentions: Mention[] = [];
  const stripped = terms(selector).map((text) => {
    const term = readTerm(text);
    const { name, cluster } = splitName(term?.value.trim() ?? '');
    if (!term || cluster === undefined) return text;
    const { before, operator } = term;
    // "All but this one of that cluster" cannot be expressed for all clusters together.
    if (operator === '!=') throw badRequest(`fieldSelector: "${text}" names a cluster: only = and == can`);
    mentions.push({ cluster, by: before.trim() === 'metadata.name' ? 'selected-name' : 'selector', text });
    return `${before}${operator}${name}`;
  });
  return mentions.length === 0 ? { selector, mentions } : { selector: stripped.join(','), mentions };
}

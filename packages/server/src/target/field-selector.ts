/** Suffixed names in field selectors: `involvedObject.name=x.clusterspace.m1` asks `m1` for `x` (NAME-2, NAME-10). */

import { badRequest } from '@fleet/kube/status.ts';
import type { Mention } from './mention.ts';
import { splitName } from './suffixed-name.ts';

export interface StrippedSelector {
  selector: string;
  mentions: Mention[];
}

/** Cut at the commas that are not escaped. */
const terms = (selector: string): string[] => selector.match(/(?:[^,\\]|\\.)+/gs) ?? [];

interface Term {
  /** With the space around it. */
  before: string;
  operator: string;
  value: string;
}

/** By searching: a pattern for all of it would try every way to share out the space in a long text that fits nowhere. */
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
    // "All but this one of that cluster" cannot be said to the clusters together.
    if (operator === '!=') throw badRequest(`fieldSelector: "${text}" names a cluster: only = and == can`);
    mentions.push({ cluster, by: before.trim() === 'metadata.name' ? 'selected-name' : 'selector', text });
    return `${before}${operator}${name}`;
  });
  return mentions.length === 0 ? { selector, mentions } : { selector: stripped.join(','), mentions };
}

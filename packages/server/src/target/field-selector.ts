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

const term = /^(\s*([^=!\s]*)\s*)(==|=|!=)(.*)$/s;

export function stripFieldSelector(selector: string): StrippedSelector {
  const mentions: Mention[] = [];
  const stripped = terms(selector).map((text) => {
    const [, before = '', field, operator = '', value = ''] = term.exec(text) ?? [];
    const { name, cluster } = splitName(value.trim());
    if (cluster === undefined) return text;
    // "All but this one of that cluster" cannot be said to the clusters together.
    if (operator === '!=') throw badRequest(`fieldSelector: "${text}" names a cluster: only = and == can`);
    mentions.push({ cluster, by: field === 'metadata.name' ? 'selected-name' : 'selector', text });
    return `${before}${operator}${name}`;
  });
  return mentions.length === 0 ? { selector, mentions } : { selector: stripped.join(','), mentions };
}

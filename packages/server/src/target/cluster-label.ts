/** The virtual label `clusterspace`: in a label selector it chooses clusters and is taken out (NAME-11). */

import { badRequest } from '@fleet/kube/status.ts';
import { keyOf } from './query.ts';
import type { ClusterName, ManyClusters } from './target.ts';

export interface ChosenClusters {
  clusters: ManyClusters;
  /** What goes on to the members. */
  query: string;
}

const label = 'clusterspace';

/** Cut at the commas that do not stand in a set. */
const requirements = (selector: string): string[] => selector.match(/(?:[^,(]|\([^)]*\)?)+/g) ?? [];

interface Choice {
  in: boolean;
  names: ClusterName[];
}

const equality = /^\s*clusterspace\s*(==|=|!=)\s*([^\s()=!]*)\s*$/;
const membership = /^\s*clusterspace\s+(in|notin)\s*\(([^()]*)\)\s*$/;
const mentions = /^\s*!?\s*clusterspace(?![\w./-])/;

/** Undefined: the requirement is about another label. */
function readChoice(requirement: string): Choice | undefined {
  const equal = equality.exec(requirement);
  if (equal) return { in: equal[1] !== '!=', names: [equal[2]!] };
  const member = membership.exec(requirement);
  if (member) return { in: member[1] === 'in', names: member[2]!.split(',').map((name) => name.trim()) };
  if (!mentions.test(requirement)) return undefined;
  throw badRequest(
    `labelSelector: "${requirement.trim()}" does not choose clusters: use =, !=, in or notin with ${label}`,
  );
}

/** All choices must hold, as all requirements of a selector do. */
function combine(choices: readonly Choice[]): ManyClusters {
  const wanted = choices.filter((choice) => choice.in).map(({ names }) => names);
  const except = choices.filter((choice) => !choice.in).flatMap(({ names }) => names);
  const [first, ...others] = wanted;
  if (!first) return { except };
  const only = first.filter((name) => others.every((names) => names.includes(name)) && !except.includes(name));
  return { only: [...new Set(only)].sort() };
}

export function chooseClusters(query: string): ChosenClusters {
  const choices: Choice[] = [];
  const pairs = query.split('&').flatMap((pair) => {
    if (keyOf(pair) !== 'labelSelector') return [pair];
    const selector = new URLSearchParams(pair).get('labelSelector') ?? '';
    const others = requirements(selector).filter((requirement) => {
      const choice = readChoice(requirement);
      if (choice) choices.push(choice);
      return !choice;
    });
    if (others.length === requirements(selector).length) return [pair];
    return others.length === 0 ? [] : [`labelSelector=${encodeURIComponent(others.join(','))}`];
  });
  return { clusters: choices.length === 0 ? {} : combine(choices), query: pairs.join('&') };
}

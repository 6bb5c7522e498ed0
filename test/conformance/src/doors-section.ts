/** The section on the endpoints of members. */

import { type Comparison, summary } from './comparison.ts';
import { outcomeTable, type Section } from './page.ts';
import type { Outcome } from './report.ts';
import type { Door } from './ways.ts';

export interface Run {
  version: string;
  direct: ReadonlyMap<string, Outcome>;
  through: ReadonlyMap<Door, { outcomes: ReadonlyMap<string, Outcome>; comparison: Comparison }>;
}

export function doorsSection({ version, direct, through }: Run): Section {
  const columns = [...through].map(([door, { outcomes }]) => [`\`${door}\``, outcomes] as const);
  return {
    title: 'Through each endpoint of a member',
    text: `Specs of Kubernetes ${version}'s own \`e2e.test\`, run directly against a member and through each endpoint of the product to a
member alike; what passes directly has to pass through (COMPAT-3). Left out is what needs pods that really run, a server of
its own or a cluster to itself.

${[...through].map(([door, { comparison }]) => `- \`${door}\`: ${summary(comparison)}`).join('\n')}

${outcomeTable({ direct, ...Object.fromEntries(columns) })}`,
  };
}

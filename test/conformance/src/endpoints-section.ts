/** The section on the endpoints of members. */

import { type Comparison, summary } from './comparison.ts';
import type { Endpoint } from './endpoints.ts';
import { outcomeTable, type Section } from './page.ts';
import type { Outcome } from './report.ts';

export interface Run {
  version: string;
  direct: ReadonlyMap<string, Outcome>;
  through: ReadonlyMap<Endpoint, { outcomes: ReadonlyMap<string, Outcome>; comparison: Comparison }>;
}

export function endpointsSection({ version, direct, through }: Run): Section {
  const columns = [...through].map(([endpoint, { outcomes }]) => [`\`${endpoint}\``, outcomes] as const);
  return {
    title: 'Through each endpoint of a member',
    text: `Specs of Kubernetes ${version}'s own \`e2e.test\`, run directly against a member and through each endpoint of the product to a
member alike; what passes directly has to pass through (COMPAT-3). Left out is what needs pods that really run, a server of
its own or a cluster to itself.

${[...through].map(([endpoint, { comparison }]) => `- \`${endpoint}\`: ${summary(comparison)}`).join('\n')}

${outcomeTable({ direct, ...Object.fromEntries(columns) })}`,
  };
}

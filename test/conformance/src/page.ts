/** `docs/reference/conformance.md`: which specs were run, and how each ended on each way. */

import type { Comparison } from './comparison.ts';
import { summary } from './comparison.ts';
import type { Outcome } from './report.ts';
import type { Door } from './ways.ts';

export interface Run {
  version: string;
  direct: ReadonlyMap<string, Outcome>;
  through: ReadonlyMap<Door, { outcomes: ReadonlyMap<string, Outcome>; comparison: Comparison }>;
}

const word = (outcome: Outcome | undefined): string => (outcome ? (outcome.passed ? 'passed' : 'failed') : 'not run');

export function page({ version, direct, through }: Run): string {
  const specs = [
    ...new Set([direct, ...[...through.values()].map((way) => way.outcomes)].flatMap((o) => [...o.keys()])),
  ];
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const heads = ['spec', 'direct', ...[...through.keys()].map((door) => `\`${door}\``)];
  return `# Conformance

Written by \`npm run test:long\`. Specs of Kubernetes ${version}'s own \`e2e.test\`, run directly against a member and
through each door of the product to a member alike; what passes directly has to pass through (COMPAT-3). Left out is
what needs pods that really run, a server of its own or a cluster to itself.

${[...through].map(([door, { comparison }]) => `- \`${door}\`: ${summary(comparison)}`).join('\n')}

${row(heads)}
${row(heads.map(() => '---'))}
${specs
  .sort()
  .map((spec) =>
    row([
      spec.replaceAll('|', '\\|'),
      word(direct.get(spec)),
      ...[...through.values()].map((way) => word(way.outcomes.get(spec))),
    ]),
  )
  .join('\n')}
`;
}

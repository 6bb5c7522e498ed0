/** The section on the embedded control plane. */

import { compare } from './comparison.ts';
import { exceptions, leftOut } from './embedded-selection.ts';
import { outcomeTable, type Section } from './page.ts';
import type { Outcome } from './report.ts';

export interface EmbeddedRun {
  version: string;
  direct: ReadonlyMap<string, Outcome>;
  embedded: ReadonlyMap<string, Outcome>;
}

export function embeddedSection({ version, direct, embedded }: EmbeddedRun): Section {
  const { direct: there, through: here } = compare(direct, embedded);
  const known = exceptions.map(({ spec, because }) => `- ${spec}: ${because}`).join('\n');
  return {
    title: 'The embedded control plane',
    text: `Specs of Kubernetes ${version}'s own \`e2e.test\` for its API machinery, run on a kube-apiserver (with its controller manager,
without nodes) and at \`/clusterspaces/karmada\` of a product that keeps its own control plane; what passes there has to pass
here (COMPAT-4). Left out is what needs

${Object.keys(leftOut)
  .map((what) => `- ${what}`)
  .join('\n')}

Passed on kube-apiserver: ${there}, on the embedded control plane: ${here}.

${exceptions.length > 0 ? `What passes there and not here, and why:\n\n${known}\n\n` : ''}${outcomeTable({ 'kube-apiserver': direct, '`/clusterspaces/karmada`': embedded })}`,
  };
}

/** The section on simulated clusters. */

import { compare } from './comparison.ts';
import type { Section } from './page.ts';
import { row, word } from './page.ts';
import type { Outcome } from './report.ts';
import { reasonFor, reasonsInTheSimulator, reasonsOnTheBed } from './simulated-selection.ts';

type Outcomes = ReadonlyMap<string, Outcome>;

export interface SimulatedRun {
  version: string;
  bed: Outcomes;
  simulated: Outcomes;
}

export function simulatedSection({ version, bed, simulated }: SimulatedRun): Section {
  const { direct, through, differences } = compare(bed, simulated);
  const lacking = differences.filter(({ passed }) => passed === 'direct').length;
  const more = differences.length - lacking;
  const rows = [...bed.keys()]
    .sort()
    .map((spec) =>
      row([
        spec.replaceAll('|', '\\|'),
        cell(bed.get(spec), reasonFor(reasonsOnTheBed, spec)),
        cell(simulated.get(spec), reasonFor(reasonsInTheSimulator, spec)),
      ]),
    );
  return {
    title: 'A simulated cluster',
    text: `The specs of Kubernetes ${version}'s own \`e2e.test\` for workloads (sig-apps) and kubectl (sig-cli) that every cluster has to
pass, run on a member of the bed (kube-apiserver, controller manager, scheduler, nodes of kwok) and on a
[simulated cluster](simulator.md), whose delays are divided by three. Each has five minutes, those that
Kubernetes marks as slow ten, those that are known to fail two. A failure has its reason in brackets.

Of ${bed.size} specs ${direct} pass on the member and ${through} on the simulated cluster: ${direct - lacking} of those ${direct}, and ${more} more.

${[row(['spec', 'member of the bed', 'simulated cluster']), row(['---', '---', '---']), ...rows].join('\n')}`,
  };
}

const cell = (outcome: Outcome | undefined, known: string | undefined): string =>
  !outcome || outcome.passed ? word(outcome) : `${word(outcome)} (${known ?? inOneLine(outcome.message ?? '')})`;

const longest = 160;

/** Of a reason that nobody has looked at yet. */
function inOneLine(message: string): string {
  const line = message.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').trim();
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

/** The section on Karmada's search specs. */

import { karmadaE2e } from '@fleet/bed/binaries.ts';
import { row, type Section, word } from '../page.ts';
import type { Outcome } from '../report.ts';
import { reasonFor, searchReasons } from './reasons.ts';
import type { ControlPlaneKind } from './scene.ts';

type Outcomes = ReadonlyMap<string, Outcome>;

export function searchSection(runs: Readonly<Record<ControlPlaneKind, Outcomes>>): Section {
  const kinds = Object.keys(runs) as ControlPlaneKind[];
  const specs = [...new Set(kinds.flatMap((kind) => [...runs[kind].keys()]))];
  const passed = (kind: ControlPlaneKind) => [...runs[kind].values()].filter((outcome) => outcome.passed).length;
  const heads = ['spec', ...kinds.map((kind) => (kind === 'embedded' ? 'embedded control plane' : kind))];
  const rows = specs.map((spec) =>
    row([
      spec.replaceAll('|', '\\|'),
      ...kinds.map((kind) => cell(runs[kind].get(spec), reasonFor(searchReasons, spec))),
    ]),
  );
  return {
    title: 'Karmada’s specs of its search proxy',
    text: `The specs of Karmada ${karmadaE2e.version}'s own suite \`test/e2e/suites/base\` for its search and aggregation endpoints
(\`search_test.go\`), against two members of the bed that look as if kind had made them, on each control plane. Three things
stand in for parts of Karmada that are not its search proxy: one address for the control plane and for \`search.karmada.io\`, as an
APIService makes it; namespaces that are copied into members, as its controller manager does; and \`cluster-admin\` for the
credential of the control plane in members, as its join grants. Names that occur twice are numbered: the suite leaves the clusters'
names out of them. What does not pass has its reason in brackets.

Of ${specs.length} specs ${kinds.map((kind) => `${passed(kind)} pass with ${kind === 'embedded' ? 'the embedded control plane' : 'a kube-apiserver'}`).join(', ')}.

${[row(heads), row(heads.map(() => '---')), ...rows].join('\n')}`,
  };
}

export const cell = (outcome: Outcome | undefined, reason: string | undefined): string =>
  outcome?.passed || !reason ? word(outcome) : `${word(outcome)} (${reason})`;

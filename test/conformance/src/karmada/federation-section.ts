/** The section on Karmada's federation specs. */

import { karmadaE2e } from '@fleet/bed/binaries.ts';
import { row, type Section } from '../page.ts';
import type { Outcome } from '../report.ts';
import { federationReasons } from './federation-reasons.ts';
import { reasonFor } from './reasons.ts';
import { cell } from './section.ts';

/** `specs` are all that there are: one without an outcome was not run. */
export function federationSection(specs: readonly string[], outcomes: ReadonlyMap<string, Outcome>): Section {
  const rows = specs.map((spec) =>
    row([spec.replaceAll('|', '\\|'), cell(outcomes.get(spec), reasonFor(federationReasons, spec))]),
  );
  const passed = [...outcomes.values()].filter((outcome) => outcome.passed).length;
  return {
    title: 'Karmada’s specs of its federation',
    text: `The specs of Karmada ${karmadaE2e.version}'s own suite \`test/e2e/suites/base\` for policies, overrides, dependencies, status, webhooks,
namespaces, migration and deletion protection, against the embedded control plane with \`--federation\` and two members of the
bed. Where they expect Karmada's example webhook they have [ours](../../examples/exploring-webhook/README.md), under Karmada's
names. The credential of the control plane has \`cluster-admin\` in members, as Karmada's join grants. Left out is what needs Lua,
kind, or fields that are [not honoured yet](differences.md). Names that occur twice are numbered. What does not pass has its
reason in brackets.

Of ${specs.length} specs ${passed} pass, ${outcomes.size - passed} fail, and ${specs.length - outcomes.size} are not run.

${[row(['spec', 'outcome']), row(['---', '---']), ...rows].join('\n')}`,
  };
}

/** The part of `docs/reference/kubectl.md` on the embedded control plane. */

import { shownCommand } from '../row.ts';
import { differences, groups } from './rows.ts';

export const heading = '## The embedded control plane';

const opening = `${heading}

At \`/clusterspaces/karmada\` of a product that keeps its own control plane, \`test/suites/kubectl-matrix/embedded.bed.ts\` gives
the same commands to it and to a kube-apiserver, with both kubectls, and compares what is printed and the exit code. There are
no nodes that run pods and no controllers of workloads, so what needs them is left out.
`;

export function section(): string {
  const notes = [...new Set(Object.values(differences))];
  const mark = (because: string | undefined) =>
    because ? `differs [${notes.indexOf(because) + 1}](#where-it-differs)` : 'as kube-apiserver';
  const tables = Object.entries(groups).map(([title, rows]) => {
    const commands = [...new Set(rows.map(shownCommand))];
    const lines = commands.map(
      (command) => `| \`${command.replaceAll('|', '\\|')}\` | ${mark(differences[command])} |`,
    );
    return `### ${title} on the embedded control plane\n\n| | |\n|---|---|\n${lines.join('\n')}\n`;
  });
  const list = notes.map((note, index) => `${index + 1}. ${note}`).join('\n');
  return [opening, ...tables, ...(list ? [`### Where it differs\n\n${list}\n`] : [])].join('\n');
}

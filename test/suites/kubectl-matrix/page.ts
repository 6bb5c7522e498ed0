/** `docs/reference/kubectl.md`: what works in which view, as the rows state and the suite has seen. */

import { kubernetesVersions } from '@fleet/bed/binaries.ts';
import { type View, views } from './cell.ts';
import { type Row, type Shortfall, shownCommand } from './row.ts';

const headings: Record<View, string> = {
  name: '`NAME.clusterspace.m1`',
  namespace: '`-n NAMESPACE.clusterspace.m1`',
  plain: 'plain name',
  any: '`clusters/*/proxy`',
};

const opening = `# kubectl

Written by \`test/suites/kubectl-matrix/matrix.bed.ts\`, which runs every row in every view with kubectl
${kubernetesVersions.newest} and ${kubernetesVersions.older} over members of both versions, and looks into the member for what was done (COMPAT-1).
Both kubectls behave alike. At \`/clusterspaces/{member}\` and \`clusters/{member}/proxy\` everything works as on the member itself.

The views, all of them without a cluster in the server's address:

- **${headings.name}**: the object's name contains its cluster.
- **${headings.namespace}**: the namespace contains it; objects without a namespace are requested by their plain name.
- **plain name**: the cluster is not named; the name is found in one member only. If several have it, the answer is a conflict that names them.
- **${headings.any}**: as the plain name, with \`--server https://…/apis/cluster.karmada.io/v1alpha1/clusters/*/proxy\`.
`;

export function page(groups: Readonly<Record<string, readonly Row[]>>): string {
  const notes: string[] = [];
  const mark = (fall: Shortfall | undefined): string => {
    if (!fall) return 'yes';
    if (!notes.includes(fall.because)) notes.push(fall.because);
    return `${fall.is === 'no' ? '**no**' : 'yes, but'} [${notes.indexOf(fall.because) + 1}](#notes)`;
  };
  const sections = Object.entries(groups).map(([title, rows]) => {
    const lines = rows.map(
      (row) =>
        `| \`${shownCommand(row).replaceAll('|', '\\|')}\` | ${views.map((view) => mark(row.falls?.[view])).join(' | ')} |`,
    );
    const head = `| | ${views.map((view) => headings[view]).join(' | ')} |\n|---|${'---|'.repeat(views.length)}`;
    return `## ${title}\n\n${head}\n${lines.join('\n')}\n`;
  });
  return [opening, ...sections, `## Notes\n\n${notes.map((note, index) => `${index + 1}. ${note}`).join('\n')}\n`].join(
    '\n',
  );
}

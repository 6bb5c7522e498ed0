/** The Table cells of PodTemplates. */

import type { PodTemplate } from '../pods/pod-spec.ts';
import { imagesOf, namesOf } from '../workloads/template-columns.ts';
import { cellsOf, type KindCells } from './cells.ts';
import { labelsText } from './selectors.ts';

const podTemplates = cellsOf<{ template?: PodTemplate }>('/podtemplates', {
  Containers: ({ template }) => namesOf(template),
  Images: ({ template }) => imagesOf(template),
  'Pod Labels': ({ template }) => labelsText(template?.metadata?.labels),
});

export const workloadCells: readonly KindCells[] = [podTemplates];

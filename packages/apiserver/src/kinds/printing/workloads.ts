import type { PodTemplate } from '../pods/pod-spec.ts';
import { imagesOf, namesOf, templateCells } from '../workloads/template-columns.ts';
import { cellsOf, type KindCells } from './cells.ts';
import { labelsText } from './selectors.ts';

interface ReplicationController {
  spec?: { replicas?: number; selector?: Record<string, string>; template?: PodTemplate };
  status?: { replicas?: number; readyReplicas?: number };
}

const replicationControllers = cellsOf<ReplicationController>('/replicationcontrollers', {
  Desired: ({ spec }) => spec?.replicas ?? 0,
  Current: ({ status }) => status?.replicas ?? 0,
  Ready: ({ status }) => status?.readyReplicas ?? 0,
  ...templateCells,
  Selector: ({ spec }) => labelsText(spec?.selector),
});

const podTemplates = cellsOf<{ template?: PodTemplate }>('/podtemplates', {
  Containers: ({ template }) => namesOf(template),
  Images: ({ template }) => imagesOf(template),
  'Pod Labels': ({ template }) => labelsText(template?.metadata?.labels),
});

export const workloadCells: readonly KindCells[] = [replicationControllers, podTemplates];

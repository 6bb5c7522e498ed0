/** The Table columns of ReplicationControllers. */

import type { PodTemplate } from '../pods/pod-spec.ts';
import type { CellsOf } from '../printing/cells.ts';
import { printedColumns } from '../printing/printed-columns.ts';
import { labelsText } from '../printing/selectors.ts';
import { templateCells } from '../workloads/template-columns.ts';

interface ReplicationController {
  spec?: { replicas?: number; selector?: Record<string, string>; template?: PodTemplate };
  status?: { replicas?: number; readyReplicas?: number };
}

const cells: CellsOf<ReplicationController> = {
  Desired: ({ spec }) => spec?.replicas ?? 0,
  Current: ({ status }) => status?.replicas ?? 0,
  Ready: ({ status }) => status?.readyReplicas ?? 0,
  ...templateCells,
  Selector: ({ spec }) => labelsText(spec?.selector),
};

export const controllerColumns = printedColumns('', 'v1', 'replicationcontrollers', cells);

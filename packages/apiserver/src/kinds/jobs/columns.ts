/** The Table columns of Jobs. */

import { humanDuration } from '@fleet/kube/human-duration.ts';
import type { CellsOf } from '../printing/cells.ts';
import { selectorOrNone } from '../printing/selectors.ts';
import { templateCells } from '../workloads/template-columns.ts';
import { hasCondition, type Job } from './job.ts';

type Printed = Partial<Job>;

function statusText({ metadata, status = {} }: Printed & { metadata: { deletionTimestamp?: string } }): string {
  const is = (type: string) => hasCondition({ status }, type);
  if (is('Complete')) return 'Complete';
  if (is('Failed')) return 'Failed';
  if (metadata.deletionTimestamp) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(is) ?? 'Running';
}

function completions({ spec, status }: Printed): string {
  const succeeded = status?.succeeded ?? 0;
  if (spec?.completions !== undefined) return `${succeeded}/${spec.completions}`;
  const parallelism = spec?.parallelism ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function duration({ status }: Printed, now: number): string {
  if (!status?.startTime) return '';
  const end = status.completionTime ? Date.parse(status.completionTime) : now;
  return humanDuration(end - Date.parse(status.startTime));
}

export const jobCells: CellsOf<Printed> = {
  Status: statusText,
  Completions: completions,
  Duration: duration,
  ...templateCells,
  Selector: ({ spec }) => selectorOrNone(spec?.selector),
};

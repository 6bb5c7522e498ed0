/** Validates the update strategy of StatefulSets. */

import { type FieldError, invalidValue } from '../../errors/field-error.ts';
import { above100PercentErrors, amountOf, intOrPercentErrors } from '../rules/int-or-percent.ts';
import { countErrors } from '../rules/numbers.ts';
import type { RollingUpdate, StatefulSetSpec } from './stateful-set.ts';

export function updateStrategyErrors(strategy: StatefulSetSpec['updateStrategy'], at: string): FieldError[] {
  const { type = '', rollingUpdate } = strategy;
  const shown = shownUpdate(rollingUpdate);
  switch (type) {
    case 'OnDelete':
      return rollingUpdate
        ? [invalidValue(`${at}.rollingUpdate`, shown, "only allowed for updateStrategy 'RollingUpdate'")]
        : [];
    case 'RollingUpdate':
      return rollingUpdate ? rollingUpdateErrors(rollingUpdate, `${at}.rollingUpdate`) : [];
    default:
      return [invalidValue(at, { Type: type, RollingUpdate: shown }, "must be 'RollingUpdate' or 'OnDelete'")];
  }
}

/** Kubernetes' internal form, which error texts show. */
const shownUpdate = (update: RollingUpdate | undefined) =>
  update ? { Partition: update.partition ?? 0, MaxUnavailable: update.maxUnavailable ?? null } : null;

function rollingUpdateErrors({ partition, maxUnavailable }: RollingUpdate, at: string): FieldError[] {
  const errors = countErrors(partition, `${at}.partition`);
  if (maxUnavailable === undefined) return errors;
  const here = `${at}.maxUnavailable`;
  return [
    ...errors,
    ...intOrPercentErrors(maxUnavailable, here),
    ...(amountOf(maxUnavailable) === 0 ? [invalidValue(here, maxUnavailable, 'cannot be 0')] : []),
    ...above100PercentErrors(maxUnavailable, here),
  ];
}

/** The kind Lease. */

import { type FieldError, forbiddenField, invalidValue } from '../errors/field-error.ts';
import { ageColumn, nameColumn, type PrintedKind } from '../registry/printed-kind.ts';
import { served } from './served.ts';

interface LeaseSpec {
  holderIdentity?: string;
  leaseDurationSeconds?: number;
  leaseTransitions?: number;
  strategy?: string;
  preferredHolder?: string;
}

export const leases: PrintedKind = {
  ...served('coordination.k8s.io', 'leases'),
  strategy: {
    // Coordinated leader election is not supported.
    prepareForCreate: ({ spec }) => withoutCoordination(spec as LeaseSpec, {}),
    prepareForUpdate: ({ spec }, old) => withoutCoordination(spec as LeaseSpec, (old['spec'] ?? {}) as LeaseSpec),
    validate: ({ spec }) => leaseErrors((spec ?? {}) as LeaseSpec),
  },
  columns: [
    nameColumn,
    {
      name: 'Holder',
      type: 'string',
      description:
        'holderIdentity contains the identity of the holder of a current lease. If Coordinated Leader Election is used, the holder identity must be equal to the elected LeaseCandidate.metadata.name field.',
      cell: ({ spec }) => (spec as LeaseSpec | undefined)?.holderIdentity ?? '',
    },
    ageColumn,
  ],
};

function withoutCoordination(spec: LeaseSpec, old: LeaseSpec): void {
  for (const field of ['strategy', 'preferredHolder'] as const) if (old[field] === undefined) delete spec[field];
}

function leaseErrors({ leaseDurationSeconds, leaseTransitions, strategy, preferredHolder }: LeaseSpec): FieldError[] {
  return [
    ...(leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0
      ? [invalidValue('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0')]
      : []),
    ...(leaseTransitions !== undefined && leaseTransitions < 0
      ? [invalidValue('spec.leaseTransitions', leaseTransitions, 'must be greater than or equal to 0')]
      : []),
    ...(preferredHolder && !strategy
      ? [forbiddenField('spec.preferredHolder', 'may only be specified if `strategy` is defined')]
      : []),
  ];
}

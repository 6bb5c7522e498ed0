/** PersistentVolumes and the claims to them. */

import type { ObjectRules } from '../object-rules.ts';
import { fieldAt, textAt, withField, withoutFields } from './fields.ts';
import { firstPhase } from './pod.ts';
import { reportedStatuses, statusOf, withStatus } from './status.ts';

export const volumeClaimRules: ObjectRules = {
  pack: (manifest) => withoutFields(manifest, ['metadata', 'annotations', 'volume.kubernetes.io/selected-node']),
  retain(desired, observed) {
    const volume = textAt(observed, 'spec', 'volumeName');
    return volume ? withField(desired, ['spec', 'volumeName'], volume) : desired;
  },
  aggregate(template, items) {
    const unbound = reportedStatuses(items)
      .map((status) => textAt(status, 'phase'))
      .filter((phase) => phase !== 'Bound');
    return withStatus(template, { phase: unbound.includes('Lost') ? 'Lost' : (unbound.at(-1) ?? 'Bound') });
  },
  health: (observed) => (textAt(observed, 'status', 'phase') === 'Bound' ? 'Healthy' : 'Unhealthy'),
};

const phases = ['Failed', 'Pending', 'Available', 'Bound', 'Released'];

export const volumeRules: ObjectRules = {
  retain(desired, observed) {
    const claim = fieldAt(observed, 'spec', 'claimRef');
    return claim === undefined ? desired : withField(desired, ['spec', 'claimRef'], claim);
  },
  aggregate(template, items) {
    const phase = firstPhase(items, phases);
    // The control plane adds the time at which the phase changed: it is no difference.
    if (phase === undefined || phase === textAt(statusOf(template), 'phase')) return template;
    return withStatus(template, { phase });
  },
};

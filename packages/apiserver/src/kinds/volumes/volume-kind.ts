/** The kind PersistentVolume. */

import { timeText } from '@fleet/kube/time-text.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import type { PrintedKind } from '../../registry/printed-kind.ts';
import type { VolumeSources } from '../pods/pod-spec.ts';
import { roundUp } from '../pods/resource-list.ts';
import { defaultSource } from '../pods/volume-defaults.ts';
import { served } from '../served.ts';
import { volumeColumns } from './columns.ts';
import { volumeErrors, volumeUpdateErrors } from './volume-rules.ts';
import { volumeWarnings } from './volume-warnings.ts';

export interface VolumeSpec extends VolumeSources {
  capacity?: Record<string, string>;
  accessModes?: string[];
  persistentVolumeReclaimPolicy?: string;
  storageClassName?: string;
  volumeMode?: string;
  claimRef?: { namespace?: string; name?: string; uid?: string };
  nodeAffinity?: object;
}

interface VolumeStatus {
  phase?: string;
  lastPhaseTransitionTime?: string;
}

function defaultVolume(volume: KubeObject): void {
  volume['spec'] ??= {};
  volume['status'] ??= {};
  const spec = volume['spec'] as VolumeSpec;
  (volume['status'] as VolumeStatus).phase ||= 'Pending';
  spec.persistentVolumeReclaimPolicy ||= 'Retain';
  spec.volumeMode ??= 'Filesystem';
  roundUp(spec.capacity);
  defaultSource(spec);
}

/** The time of the last phase change, unless the client sets it. */
function keepTime(volume: KubeObject, old: KubeObject, subresource: string | undefined): void {
  if (subresource !== 'status') return;
  const status = { ...(volume['status'] as VolumeStatus | undefined) };
  const { phase, lastPhaseTransitionTime: time } = (old['status'] ?? {}) as VolumeStatus;
  if (status.phase === phase) {
    if (time && !status.lastPhaseTransitionTime) status.lastPhaseTransitionTime = time;
  } else if (!status.lastPhaseTransitionTime || status.lastPhaseTransitionTime === time)
    status.lastPhaseTransitionTime = timeText(Date.now());
  volume['status'] = status;
}

export const persistentVolumes: PrintedKind = {
  ...served('', 'persistentvolumes'),
  returnsDeleted: true,
  checksAgain: 'all twice',
  strategy: {
    complete: defaultVolume,
    prepareForCreate: (volume) => {
      volume['status'] = { phase: 'Pending', lastPhaseTransitionTime: timeText(Date.now()) };
    },
    prepareForUpdate: keepTime,
    validateCreate: volumeErrors,
    validateUpdate: volumeUpdateErrors,
    warnings: (volume, _old, subresource) => (subresource === 'status' ? [] : volumeWarnings(volume)),
  },
  columns: volumeColumns,
};

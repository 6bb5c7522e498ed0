/** The kind Pod. */

import type { PrintedKind } from '../../registry/printed-kind.ts';
import { fields } from '../selectable-fields.ts';
import { served } from '../served.ts';
import { podColumns, podRowConditions } from './columns.ts';
import { podGracePeriod, preparePod, preparePodUpdate } from './pod-changes.ts';
import { defaultPod } from './pod-defaults.ts';
import { podErrors, podUpdateErrors } from './pod-rules.ts';
import { podWarnings } from './pod-warnings.ts';

export const pods: PrintedKind = {
  ...served('', 'pods'),
  hasGeneration: true,
  returnsDeleted: true,
  checksAgain: 'all',
  subresources: ['ephemeralcontainers', 'resize'],
  statusKeeps: ['deletionTimestamp', 'ownerReferences'],
  strategy: {
    complete: defaultPod,
    prepareForCreate: preparePod,
    prepareForUpdate: preparePodUpdate,
    validateCreate: podErrors,
    validateUpdate: podUpdateErrors,
    gracePeriod: podGracePeriod,
    warnings: podWarnings,
    selectableFields: fields({
      'spec.nodeName': '',
      'spec.restartPolicy': '',
      'spec.schedulerName': '',
      'spec.serviceAccountName': '',
      'spec.hostNetwork': 'false',
      'status.phase': '',
      'status.podIP': '',
      'status.nominatedNodeName': '',
    }),
  },
  columns: podColumns,
  rowConditions: podRowConditions,
};

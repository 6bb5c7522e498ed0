/** The kind PersistentVolumeClaim. */

import type { KubeObject } from '../../registry/kube-object.ts';
import type { PrintedKind } from '../../registry/printed-kind.ts';
import type { ClaimSpec } from '../pods/pod-spec.ts';
import { roundUp } from '../pods/resource-list.ts';
import { defaultClaimSpec } from '../pods/volume-defaults.ts';
import { served } from '../served.ts';
import { claimErrors, claimUpdateErrors } from './claim-rules.ts';
import { claimColumns } from './columns.ts';
import { claimWarnings } from './volume-warnings.ts';

interface Source {
  /** Null where Go writes a nil pointer. */
  apiGroup?: string | null;
  kind?: string;
  name?: string;
  namespace?: string;
}

interface Sources extends ClaimSpec {
  dataSource?: Source;
  dataSourceRef?: Source;
}

interface ClaimStatus {
  phase?: string;
  capacity?: Record<string, string>;
  allocatedResources?: Record<string, string>;
}

const sourcesOf = (claim: KubeObject): Sources => (claim['spec'] ?? {}) as Sources;

function defaultClaim(claim: KubeObject): void {
  claim['spec'] ??= {};
  claim['status'] ??= {};
  const status = claim['status'] as ClaimStatus;
  status.phase ||= 'Pending';
  defaultClaimSpec(sourcesOf(claim));
  roundUp(status.capacity);
  roundUp(status.allocatedResources);
}

const isKnownSource = ({ apiGroup, kind }: Source): boolean =>
  (!apiGroup && kind === 'PersistentVolumeClaim') ||
  (apiGroup === 'snapshot.storage.k8s.io' && kind === 'VolumeSnapshot');

/** A claim has two fields for its data source: a client that writes only the older one is limited to its values. */
function settleSources(spec: Sources, before: Sources | undefined): void {
  const isInUse = before?.dataSource !== undefined || before?.dataSourceRef !== undefined;
  if (!isInUse && !spec.dataSourceRef && spec.dataSource && !isKnownSource(spec.dataSource)) delete spec.dataSource;
  if (spec.dataSource && !spec.dataSourceRef) spec.dataSourceRef = { ...spec.dataSource };
  else if (spec.dataSourceRef && !spec.dataSource && !spec.dataSourceRef.namespace) {
    const { namespace: _, ...source } = spec.dataSourceRef;
    spec.dataSource = source;
  }
}

export const persistentVolumeClaims: PrintedKind = {
  ...served('', 'persistentvolumeclaims'),
  returnsDeleted: true,
  checksAgain: 'all',
  emptyStatus: { phase: 'Pending' },
  strategy: {
    complete: defaultClaim,
    prepareForCreate: (claim) => settleSources(sourcesOf(claim), undefined),
    prepareForUpdate: (claim, old, subresource) => {
      if (subresource) return;
      settleSources(sourcesOf(claim), sourcesOf(old));
    },
    validateCreate: claimErrors,
    validateUpdate: claimUpdateErrors,
    warnings: (claim, _old, subresource) => (subresource === 'status' ? [] : claimWarnings(claim)),
  },
  columns: claimColumns,
};

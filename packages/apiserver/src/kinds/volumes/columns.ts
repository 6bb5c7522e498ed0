/** The Table columns of PersistentVolumes and PersistentVolumeClaims. */

import { type CellsOf, unset } from '../printing/cells.ts';
import { printedColumns } from '../printing/printed-columns.ts';

const shortModes = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

const modesText = (modes: readonly string[] = []): string =>
  shortModes.flatMap(([mode, short]) => (modes.includes(mode) ? [short] : [])).join(',');

interface Volume {
  spec?: {
    capacity?: { storage?: string };
    accessModes?: string[];
    persistentVolumeReclaimPolicy?: string;
    claimRef?: { namespace?: string; name?: string };
    storageClassName?: string;
    volumeAttributesClassName?: string;
    volumeMode?: string;
  };
  status?: { phase?: string; reason?: string };
}

interface Claim {
  spec?: { volumeName?: string; storageClassName?: string; volumeAttributesClassName?: string; volumeMode?: string };
  status?: { phase?: string; capacity?: { storage?: string }; accessModes?: string[] };
}

interface Classed {
  metadata: { annotations?: Record<string, string>; deletionTimestamp?: string };
  spec?: { storageClassName?: string; volumeAttributesClassName?: string; volumeMode?: string };
  status?: { phase?: string };
}

const both = {
  Status: ({ metadata, status }: Classed) => (metadata.deletionTimestamp ? 'Terminating' : (status?.phase ?? '')),
  StorageClass: ({ metadata, spec }: Classed) =>
    metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec?.storageClassName ?? '',
  VolumeAttributesClass: ({ spec }: Classed) => spec?.volumeAttributesClassName ?? unset,
  VolumeMode: ({ spec }: Classed) => spec?.volumeMode ?? unset,
};

const volumeCells: CellsOf<Volume> = {
  ...both,
  Capacity: ({ spec }) => spec?.capacity?.storage ?? '0',
  'Access Modes': ({ spec }) => modesText(spec?.accessModes),
  'Reclaim Policy': ({ spec }) => spec?.persistentVolumeReclaimPolicy ?? '',
  Claim: ({ spec }) => (spec?.claimRef ? `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}` : ''),
  Reason: ({ status }) => status?.reason ?? '',
};

const claimCells: CellsOf<Claim> = {
  ...both,
  Volume: ({ spec }) => spec?.volumeName ?? '',
  Capacity: ({ spec, status }) => (spec?.volumeName ? (status?.capacity?.storage ?? '0') : ''),
  'Access Modes': ({ spec, status }) => (spec?.volumeName ? modesText(status?.accessModes) : ''),
};

export const volumeColumns = printedColumns('', 'v1', 'persistentvolumes', volumeCells);
export const claimColumns = printedColumns('', 'v1', 'persistentvolumeclaims', claimCells);

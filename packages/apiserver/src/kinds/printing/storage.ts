import { cellsOf, type KindCells, none, unset } from './cells.ts';

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

const volumes = cellsOf<Volume>('/persistentvolumes', {
  ...both,
  Capacity: ({ spec }) => spec?.capacity?.storage ?? '0',
  'Access Modes': ({ spec }) => modesText(spec?.accessModes),
  'Reclaim Policy': ({ spec }) => spec?.persistentVolumeReclaimPolicy ?? '',
  Claim: ({ spec }) => (spec?.claimRef ? `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}` : ''),
  Reason: ({ status }) => status?.reason ?? '',
});

const claims = cellsOf<Claim>('/persistentvolumeclaims', {
  ...both,
  Volume: ({ spec }) => spec?.volumeName ?? '',
  Capacity: ({ spec, status }) => (spec?.volumeName ? (status?.capacity?.storage ?? '0') : ''),
  'Access Modes': ({ spec, status }) => (spec?.volumeName ? modesText(status?.accessModes) : ''),
});

const attributesClasses = cellsOf<{ driverName?: string }>('storage.k8s.io/volumeattributesclasses', {
  DriverName: ({ driverName = '' }) => driverName,
});

interface Attachment {
  spec?: { attacher?: string; nodeName?: string; source?: { persistentVolumeName?: string } };
  status?: { attached?: boolean };
}

const attachments = cellsOf<Attachment>('storage.k8s.io/volumeattachments', {
  Attacher: ({ spec }) => spec?.attacher ?? '',
  PV: ({ spec }) => spec?.source?.persistentVolumeName ?? '',
  Node: ({ spec }) => spec?.nodeName ?? '',
  Attached: ({ status }) => status?.attached ?? false,
});

interface Driver {
  spec?: {
    attachRequired?: boolean;
    podInfoOnMount?: boolean;
    storageCapacity?: boolean;
    requiresRepublish?: boolean;
    volumeLifecycleModes?: string[];
    tokenRequests?: { audience?: string }[];
  };
}

const drivers = cellsOf<Driver>('storage.k8s.io/csidrivers', {
  AttachRequired: ({ spec }) => spec?.attachRequired ?? true,
  PodInfoOnMount: ({ spec }) => spec?.podInfoOnMount ?? false,
  StorageCapacity: ({ spec }) => spec?.storageCapacity ?? false,
  TokenRequests: ({ spec }) => spec?.tokenRequests?.map(({ audience = '' }) => audience).join(',') ?? unset,
  RequiresRepublish: ({ spec }) => spec?.requiresRepublish ?? false,
  Modes: ({ spec }) => (spec?.volumeLifecycleModes ?? []).join(',') || none,
});

const driverNodes = cellsOf<{ spec?: { drivers?: unknown[] | null } }>('storage.k8s.io/csinodes', {
  Drivers: ({ spec }) => spec?.drivers?.length ?? 0,
});

export const storageCells: readonly KindCells[] = [
  volumes,
  claims,
  attributesClasses,
  attachments,
  drivers,
  driverNodes,
];

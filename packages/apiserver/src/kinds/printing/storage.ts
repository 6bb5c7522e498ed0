/** The Table cells of storage kinds without rules of their own: attachments, drivers, attributes classes. */

import { cellsOf, type KindCells, none, unset } from './cells.ts';

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

export const storageCells: readonly KindCells[] = [attributesClasses, attachments, drivers, driverNodes];

/** The kind StorageClass. */

import type { KubeObject } from '../../registry/kube-object.ts';
import type { PrintedKind } from '../../registry/printed-kind.ts';
import { kindColumns } from '../printing/printed-columns.ts';
import { objectMetaErrors, objectMetaUpdateErrors } from '../rules/metadata.ts';
import { deprecatedNodeLabels } from '../rules/node-labels.ts';
import { served } from '../served.ts';
import { type StorageClass, storageClassErrors, storageClassUpdateErrors } from './rules.ts';

const facts = served('storage.k8s.io', 'storageclasses');

const of = (object: KubeObject): StorageClass => object as unknown as StorageClass;

const isDefault = ({ annotations = {} }: { annotations?: Record<string, string> }): boolean =>
  annotations['storageclass.kubernetes.io/is-default-class'] === 'true' ||
  annotations['storageclass.beta.kubernetes.io/is-default-class'] === 'true';

const classErrors = (object: KubeObject) => [...objectMetaErrors(object, facts), ...storageClassErrors(of(object))];

export const storageClasses: PrintedKind = {
  ...facts,
  returnsDeleted: true,
  checksAgain: 'nothing',
  strategy: {
    complete: (object) => {
      of(object).reclaimPolicy ??= 'Delete';
      of(object).volumeBindingMode ??= 'Immediate';
    },
    validateCreate: classErrors,
    validateUpdate: (object, old) => [
      ...classErrors(object),
      ...objectMetaUpdateErrors(object, old),
      ...storageClassUpdateErrors(of(object), of(old)),
    ],
    warnings: (object) =>
      (of(object).allowedTopologies ?? []).flatMap(({ matchLabelExpressions = [] }, index) =>
        matchLabelExpressions.flatMap(({ key = '' }, place) => {
          const why = deprecatedNodeLabels.get(key);
          const at = `allowedTopologies[${index}].matchLabelExpressions[${place}].key`;
          return why === undefined ? [] : [`${at}: ${why}`];
        }),
      ),
  },
  columns: kindColumns<StorageClass>(facts, {
    Name: ({ metadata }) => (isDefault(metadata) ? `${metadata.name} (default)` : (metadata.name ?? '')),
    Provisioner: ({ provisioner = '' }) => provisioner,
    ReclaimPolicy: ({ reclaimPolicy = 'Delete' }) => reclaimPolicy,
    VolumeBindingMode: ({ volumeBindingMode = 'Immediate' }) => volumeBindingMode,
    AllowVolumeExpansion: ({ allowVolumeExpansion = false }) => allowVolumeExpansion,
  }),
};

/** Validates the metadata of kinds whose strategies check all of it, as most of Kubernetes' do. */

import type { FieldError } from '../../errors/field-error.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import { metadataErrors, metadataUpdateErrors } from '../../registry/metadata-rules.ts';
import type { ResourceKind } from '../../registry/resource-kind.ts';
import { finalizerErrors } from '../core.ts';

type Named = Pick<ResourceKind, 'namespaced' | 'nameFaults'>;

export const objectMetaErrors = (object: KubeObject, { namespaced, nameFaults }: Named): FieldError[] => [
  ...metadataErrors(object.metadata, namespaced, nameFaults),
  ...finalizerErrors(object),
];

export const objectMetaUpdateErrors = (object: KubeObject, old: KubeObject): FieldError[] => [
  ...metadataUpdateErrors(object.metadata, old.metadata),
  ...finalizerErrors(object),
];

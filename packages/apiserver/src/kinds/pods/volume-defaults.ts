/** Defaults of volumes (`core/v1/zz_generated.defaults.go`). */

import { imageTag } from './image-reference.ts';
import type { ClaimSpec, DownwardItem, FieldRef, Volume, VolumeSources } from './pod-spec.ts';
import { roundUpResources } from './resource-list.ts';

const readableByAll = 0o644;
const hour = 3600;

export function defaultVolume(volume: Volume): void {
  const { name: _, ...sources } = volume;
  if (Object.keys(sources).length === 0) volume.emptyDir = {};
  const { image, secret, downwardAPI, configMap, projected, ephemeral } = volume;
  if (image) image.pullPolicy ||= pullPolicyOf(image.reference);
  if (secret) secret.defaultMode ??= readableByAll;
  if (configMap) configMap.defaultMode ??= readableByAll;
  if (downwardAPI) {
    downwardAPI.defaultMode ??= readableByAll;
    defaultItems(downwardAPI.items);
  }
  if (projected) {
    projected.defaultMode ??= readableByAll;
    for (const { downwardAPI: fields, serviceAccountToken } of projected.sources ?? []) {
      defaultItems(fields?.items);
      if (serviceAccountToken) serviceAccountToken.expirationSeconds ??= hour;
    }
  }
  const claim = ephemeral?.volumeClaimTemplate?.spec;
  if (claim) defaultClaimSpec(claim);
  defaultSource(volume);
}

/** For sources that PersistentVolumes have, too. */
export function defaultSource({ hostPath, iscsi, rbd, azureDisk, scaleIO }: VolumeSources): void {
  if (hostPath) hostPath.type ??= '';
  if (iscsi) iscsi.iscsiInterface ||= 'default';
  if (rbd) {
    rbd.pool ||= 'rbd';
    rbd.user ||= 'admin';
    rbd.keyring ||= '/etc/ceph/keyring';
  }
  if (azureDisk) {
    azureDisk.cachingMode ??= 'ReadWrite';
    azureDisk.fsType ??= 'ext4';
    azureDisk.readOnly ??= false;
    azureDisk.kind ??= 'Shared';
  }
  if (scaleIO) {
    scaleIO.storageMode ||= 'ThinProvisioned';
    scaleIO.fsType ||= 'xfs';
  }
}

export function defaultClaimSpec(spec: ClaimSpec): void {
  spec.volumeMode ??= 'Filesystem';
  roundUpResources(spec.resources);
}

function defaultItems(items: DownwardItem[] = []): void {
  for (const { fieldRef } of items) if (fieldRef) defaultFieldRef(fieldRef);
}

export function defaultFieldRef(fieldRef: FieldRef): void {
  fieldRef.apiVersion ||= 'v1';
}

export const pullPolicyOf = (image = ''): string => (imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent');

/** Protects VolumeAttributesClasses that volumes or claims refer to: `pkg/controller/volume/vacprotection`. */

import type { KubeObject } from '@fleet/client/kube-client.ts';
import { listPath } from '../shared/controller-ref.ts';
import type { ControllerParts } from '../shared/reconciler.ts';
import { claimPaths } from '../stateful-sets/stateful-set.ts';
import { startProtection } from './protection.ts';
import { type PersistentVolume, volumesPath } from './volume-protection.ts';

interface ClassifiedClaim extends KubeObject {
  spec?: { volumeAttributesClassName?: string };
  status?: {
    currentVolumeAttributesClassName?: string;
    modifyVolumeStatus?: { targetVolumeAttributesClassName?: string };
  };
}

const classesPath = '/apis/storage.k8s.io/v1/volumeattributesclasses';

const named = (...names: readonly (string | undefined)[]): string[] => names.filter((name) => name !== undefined);

const classesOfVolume = ({ spec }: PersistentVolume): readonly string[] => named(spec?.volumeAttributesClassName);

const classesOfClaim = ({ spec, status }: ClassifiedClaim): readonly string[] =>
  named(
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  );

export function startAttributesClassProtection(parts: ControllerParts): AsyncDisposable {
  const volumes = parts.informers.of<PersistentVolume>(volumesPath);
  const claims = parts.informers.of<ClassifiedClaim>(listPath(claimPaths));
  const isNamed = (name: string): boolean =>
    [...volumes.index('attributes-class', classesOfVolume).get(name)].length > 0 ||
    [...claims.index('attributes-class', classesOfClaim).get(name)].length > 0;
  const reconciler = startProtection(parts, {
    component: 'vac-protection-controller',
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttributesClass',
    finalizer: 'kubernetes.io/vac-protection',
    known: parts.informers.of<KubeObject>(classesPath),
    pathOf: ({ metadata }) => `${classesPath}/${metadata.name}`,
    isUsed: ({ metadata }) => isNamed(metadata.name),
  });
  const follow = <T>(classesOf: (object: T) => readonly string[]) => {
    return (_key: string, now: T | undefined, old: T | undefined): void => {
      const kept = now ? classesOf(now) : [];
      for (const name of old ? classesOf(old) : []) if (!kept.includes(name)) reconciler.add(name);
    };
  };
  volumes.subscribe(follow(classesOfVolume));
  claims.subscribe(follow(classesOfClaim));
  return reconciler;
}

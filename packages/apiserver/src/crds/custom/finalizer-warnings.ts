/** Warns about finalizers of custom resources whose names are accepted, but not domain-qualified. */

import { quoted } from '../../errors/quoted.ts';
import { labelKeyFaults } from '../../names/name-rules.ts';
import type { KubeObject } from '../../registry/kube-object.ts';

/** Kubernetes' own finalizers. */
const ownFinalizers = ['foregroundDeletion', 'kubernetes', 'orphan'];

export function finalizerWarnings({ metadata }: KubeObject, old: KubeObject | undefined): string[] {
  const added = new Set(metadata.finalizers).difference(new Set(old?.metadata.finalizers));
  return [...added].sort().flatMap((name) => {
    const isOwn = name.includes('/') || ownFinalizers.includes(name);
    const better = `prefer a domain-qualified finalizer name${name.includes('.') ? ' including a path (/)' : ''}`;
    const faults = [
      ...labelKeyFaults(name).map((fault) => fault.replace('a valid label key', 'a qualified name')),
      ...(isOwn ? [] : [`${better} to avoid accidental conflicts with other finalizer writers`]),
    ];
    return faults.map((fault) => `metadata.finalizers: ${quoted(name)}: ${fault}`);
  });
}

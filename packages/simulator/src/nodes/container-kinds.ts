/** Lists the containers of a pod with their kinds, in the order in which they start. */

import type { Container, Pod } from '../pods/pod.ts';
import type { ContainerKind } from './running-pod.ts';

export const isSidecar = ({ restartPolicy }: Container): boolean => restartPolicy === 'Always';

export function* containersWithKind({ spec }: Pod): Generator<[Container, ContainerKind]> {
  for (const one of spec.initContainers ?? []) yield [one, isSidecar(one) ? 'sidecar' : 'init'];
  for (const one of spec.containers) yield [one, 'main'];
  for (const one of spec.ephemeralContainers ?? []) yield [one, 'ephemeral'];
}

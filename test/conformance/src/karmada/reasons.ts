/** Which of Karmada's search specs cannot pass, and why. */

import type { ControlPlaneKind } from './scene.ts';

interface Reason {
  /** A part of its name. */
  spec: string;
  /** Undefined: on every control plane. */
  on?: ControlPlaneKind;
  because: string;
}

export const reasons: readonly Reason[] = [
  {
    spec: 'when cluster joined',
    because: 'it creates a cluster with kind, in Docker',
  },
  {
    spec: 'create, update, delete resourceRegistry',
    on: 'embedded',
    because:
      'with nothing registered it lists Pods and Nodes of the control plane and expects empty lists: the control plane in the product does not serve these kinds (404)',
  },
];

export const reasonFor = (spec: string, on: ControlPlaneKind): string | undefined =>
  reasons.find((reason) => spec.includes(reason.spec) && (reason.on ?? on) === on)?.because;

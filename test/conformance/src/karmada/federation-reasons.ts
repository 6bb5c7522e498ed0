/** Which of Karmada's federation specs cannot pass, and why. */

import type { Reason } from './reasons.ts';

const emptied =
  'it continues to use a namespace that it has deleted: kube-controller-manager leaves it alone for five seconds';

export const federationReasons: readonly Reason[] = [
  {
    spec: 'CustomResource InterpreterOperation InterpretDependency testing',
    because: 'its customization is in Lua, which is not run',
  },
  { spec: 'Delete the namespace after the protection has been removed', because: emptied },
  { spec: 'Delete the no protected namespace', because: emptied },
];

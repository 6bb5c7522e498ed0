/** What federation leaves in the control plane, and the switch with which `fleet federation disable` turns it off (FED-38). */

export { type Left, leftOfFederation } from '@fleet/federation/turn-off/left.ts';
export {
  disabledSwitch,
  isDone,
  type Switch,
  type SwitchState,
  stateOf,
  switchesPath,
  switchPath,
  unreleasedOf,
} from '@fleet/federation/turn-off/switch.ts';

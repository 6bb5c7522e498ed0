/** Adds warnings to responses to writes of federation's objects in the control plane (FED-1, FED-19, EXP-9). */

import type { AnyObject } from '@fleet/federation/api/objects.ts';
import type { Resource } from '@fleet/federation/kinds/kinds.ts';
import { warningsOf } from '@fleet/federation/policies/warnings.ts';
import type { GatewayParts } from './gateway.ts';
import { warnedWrite } from './pass/warned-write.ts';
import { karmada } from './target/target.ts';

const groups: ReadonlySet<string> = new Set(['policy.karmada.io', 'config.karmada.io']);

/** `served`: the kinds that the control plane serves at the time of the request. */
export const warnedOfPolicies =
  (served: () => readonly Resource[]): GatewayParts['warned'] =>
  async (cluster, target, reply) => {
    if (cluster !== karmada) return reply;
    const warned = {
      isAbout: ({ group }: { group: string }) => groups.has(group),
      warningsOf: (object: AnyObject) => warningsOf(object, served()),
    };
    return warnedWrite(warned, target, reply);
  };

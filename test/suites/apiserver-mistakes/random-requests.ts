/** Requests about the kinds that the differential makes objects of: valid objects, and allowed and forbidden changes of them. */

import { workloadKinds } from '@fleet/differential/kinds/cluster/all.ts';
import { apiVersion, type Kind } from '@fleet/differential/kinds/kind.ts';
import { Random } from '@fleet/differential/random.ts';
import type { JsonObject, RuleRequest } from './rule-request.ts';

/** `count` objects of each selected kind, as many changes, and updates of the status. */
export function randomRequests(seed: string, count: number, isSelected: (kind: Kind) => boolean): RuleRequest[] {
  return workloadKinds.filter(isSelected).flatMap((kind) => {
    const random = new Random(`${seed}/${apiVersion(kind)}/${kind.kind}`);
    return Array.from({ length: count }, () => requestsAbout(random, kind)).flat();
  });
}

function requestsAbout(random: Random, kind: Kind): RuleRequest[] {
  const labels = { app: random.pick(['red', 'green']) };
  const head = { apiVersion: apiVersion(kind), kind: kind.kind, metadata: { name: 'a', labels } };
  const object: JsonObject = { ...head, ...kind.build(random, 'a') };
  const changed = (change: (random: Random, body: JsonObject) => void): RuleRequest => {
    const body = structuredClone(object);
    change(random, body);
    return { op: 'update', old: object, object: body };
  };
  return [
    { op: 'create', object },
    changed(kind.edit),
    ...(kind.forbid ? [changed(kind.forbid)] : []),
    ...(kind.status
      ? [{ op: 'updateStatus' as const, old: object, object: { ...object, status: kind.status(random) } }]
      : []),
  ];
}

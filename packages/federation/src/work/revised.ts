/** Revises a template for one cluster: its replicas, and the other fields that are divided with them (FED-5, EXP-3). */

import type { Binding, TargetCluster } from '../api/bindings.ts';
import type { AnyObject } from '../api/objects.ts';
import type { Explorer } from '../explore/hooks/explorer.ts';
import { nativeRulesOf } from '../explore/native/native-rules.ts';
import { divideCompletions } from '../schedule/divide.ts';
import { isDivided } from '../schedule/strategy.ts';

export async function revised(
  explorer: Pick<Explorer, 'revise'>,
  template: AnyObject,
  { spec }: Binding,
  target: TargetCluster,
  targets: readonly TargetCluster[],
): Promise<AnyObject> {
  if (!spec.replicas) return template;
  const object = await explorer.revise(template, target.replicas ?? 0);
  const divided = nativeRulesOf(template.apiVersion, template.kind)?.divided;
  const total = divided?.total(template);
  if (!divided || total === undefined || !isDivided(spec)) return object;
  const clusters = targets.map(({ name, replicas = 0 }) => ({ name, replicas }));
  return divided.revise(object, divideCompletions(total, clusters, template.metadata.uid).get(target.name) ?? 0);
}

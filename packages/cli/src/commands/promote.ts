/** `fleet promote`: creates a template and a policy from an object of a member. No pod is restarted (FED-24). */

import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import type { AnyObject } from '@fleet/federation/api/objects.ts';
import { HintedError } from '../errors.ts';
import { existingCluster } from '../existing-cluster.ts';
import { objectText, policyText } from '../federation-texts.ts';
import { Fleet } from '../fleet-location.ts';
import { apiVersionOf, type NamedObject, namedObject } from '../named-object.ts';
import { formatOf, printJson, printYaml } from '../output.ts';
import { type Promotion, promotionOf, refuseOtherPolicy, refuseRestart } from '../promote/promotion.ts';
import { defaulted, writePromotion } from '../promote/write.ts';
import { readOverrides, readPolicies } from '../stored-policies.ts';

export interface PromoteFlags {
  fleetKubeconfig?: string;
  cluster: string;
  namespace?: string;
  dryRun?: boolean;
  output?: string;
}

const formats = ['json', 'yaml'] as const;

export async function runPromote(word: string, flags: PromoteFlags): Promise<void> {
  const format = formatOf(flags.output, formats);
  await using fleet = await Fleet.find(flags.fleetKubeconfig);
  const controlPlane = fleet.client('karmada');
  const named = await namedObject(fleet.view('karmada'), word, flags.namespace ?? fleet.namespace);
  const promotion = await prepare(fleet, controlPlane, named, flags.cluster);
  const { template, policy } = promotion;
  if (flags.dryRun || format) {
    const list = { apiVersion: 'v1', kind: 'List', items: [policy, template] };
    process.stdout.write(format === 'json' ? printJson(list) : `${printYaml(policy)}---\n${printYaml(template)}`);
  }
  if (flags.dryRun) return;
  await writePromotion(controlPlane, promotion, collectionOf(named));
  const place = named.namespace ? ` -n ${named.namespace}` : '';
  process.stderr.write(
    `${objectText(template)} of ${flags.cluster} is a template now, by ${policyText(policy)}. ` +
      `"fleet tree ${word}${place}" shows when it is taken over.\n`,
  );
}

const collectionOf = ({ path }: NamedObject): string => path.slice(0, path.lastIndexOf('/'));

/** Everything that could go wrong later is looked at before anything is written. */
async function prepare(
  fleet: Fleet,
  controlPlane: KubeClient,
  named: NamedObject,
  clusterName: string,
): Promise<Promotion> {
  const { namespace } = named;
  const cluster = await existingCluster(fleet, clusterName);
  const member = fleet.client(clusterName);
  const object = await readObject(member, named, clusterName);
  const isScaledThere = await hasAutoscaler(member, object);
  const promotion = promotionOf({ object, cluster: clusterName, isScaledThere });
  if (namespace) await requireNamespace(controlPlane, namespace);
  const template = await defaulted(controlPlane, promotion.template, collectionOf(named));
  refuseOtherPolicy(promotion, await readPolicies(controlPlane, namespace));
  refuseRestart({ template, object, cluster, ...(await readOverrides(controlPlane, namespace)) });
  return promotion;
}

async function readObject(member: KubeClient, named: NamedObject, cluster: string): Promise<AnyObject> {
  const { type, name, namespace, path } = named;
  try {
    return { ...(await member.get<AnyObject>(path)), apiVersion: apiVersionOf(type), kind: type.kind };
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
    const place = namespace ? ` in namespace "${namespace}"` : '';
    throw new HintedError(`${cluster} has no ${type.kind} "${name}"${place}`, '"fleet get" shows where there is one', {
      cause: error,
    });
  }
}

async function requireNamespace(controlPlane: KubeClient, namespace: string): Promise<void> {
  try {
    await controlPlane.get(`/api/v1/namespaces/${namespace}`);
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
    throw new HintedError(
      `the control plane has no namespace "${namespace}"`,
      'Create it there first. Every member of the federation gets it, too',
      { cause: error },
    );
  }
}

interface Autoscaler {
  spec: { scaleTargetRef: { kind: string; name: string } };
}

async function hasAutoscaler(member: KubeClient, { kind, metadata }: AnyObject): Promise<boolean> {
  if (!metadata.namespace) return false;
  const path = `/apis/autoscaling/v2/namespaces/${metadata.namespace}/horizontalpodautoscalers`;
  try {
    const { items } = await member.list<Autoscaler>(path);
    return items.some(({ spec }) => spec.scaleTargetRef.kind === kind && spec.scaleTargetRef.name === metadata.name);
  } catch (error) {
    // The member has no such kind.
    if (isStatus(error, 404)) return false;
    throw error;
  }
}

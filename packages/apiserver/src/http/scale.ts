/** The scale of an object: how many replicas are wanted and there are, read and written without the rest. */

import { invalidValue } from '../errors/field-error.ts';
import { invalid } from '../errors/refusals.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { metadataErrors } from '../registry/metadata-rules.ts';
import { refuseLarger } from '../registry/resource-context.ts';
import type { ResourceKind, ScaleFields } from '../registry/resource-kind.ts';
import { decodeObject } from '../registry/stored-object.ts';
import { managerOf } from './field-owner.ts';
import { objectReply } from './object-forms.ts';
import { builtInTypes } from './object-types.ts';
import { patched, readPatched } from './patching.ts';
import { readJson, refuseOtherName } from './read-object.ts';
import type { Verb } from './verbs.ts';
import { readWriteOptions } from './write-options.ts';

export const scaleKind: ResourceKind = {
  group: 'autoscaling',
  version: 'v1',
  resource: 'scales',
  singular: 'scale',
  kind: 'Scale',
  namespaced: true,
  allowsUnconditionalUpdate: true,
  nameFaults: () => [],
  strategy: {},
};
const scaleTypes = builtInTypes(scaleKind);

const at = (object: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], object);

const numberAt = (object: unknown, path: readonly string[]): number => Number(at(object, path) ?? 0);

function scaleOf(object: KubeObject, { replicas, currentReplicas, selector }: ScaleFields): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const wanted = numberAt(object, replicas);
  const text = selector(object);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: Object.fromEntries(
      Object.entries({ name, namespace, uid, resourceVersion, creationTimestamp }).filter(([, value]) => value),
    ),
    spec: wanted === 0 ? {} : { replicas: wanted },
    status: { replicas: numberAt(object, currentReplicas), ...(text ? { selector: text } : {}) },
  };
}

/** The object with the replicas of a scale, if that is of the version that is there. */
function scaled(object: KubeObject, scale: KubeObject, { replicas }: ScaleFields): KubeObject {
  const made = structuredClone(object);
  let place: Record<string, unknown> = made;
  for (const name of replicas.slice(0, -1)) {
    place[name] ??= {};
    place = place[name] as Record<string, unknown>;
  }
  place[replicas.at(-1)!] = numberAt(scale, ['spec', 'replicas']);
  const { resourceVersion, uid } = scale.metadata;
  if (resourceVersion) made.metadata.resourceVersion = resourceVersion;
  if (uid) made.metadata.uid = uid;
  return made;
}

function checked(scale: KubeObject): KubeObject {
  const wanted = numberAt(scale, ['spec', 'replicas']);
  const { namespace } = scale.metadata;
  const errors = [
    ...metadataErrors(scale.metadata, namespace !== undefined),
    ...(wanted < 0 ? [invalidValue('spec.replicas', wanted, 'must be greater than or equal to 0')] : []),
  ];
  if (errors.length > 0) throw invalid(scaleKind, scale.metadata.name ?? '', errors);
  return scale;
}

export const getScale: Verb = async ({ printed, registry }, { ask: { name, namespace }, atMost }, wanted) => {
  const entry = await registry.get(name!, { namespace });
  refuseLarger(entry, { atMost });
  return objectReply(200, scaleOf(decodeObject(entry), printed.scale!), wanted);
};

export const updateScale: Verb = async (resource, call, wanted) => {
  const scale = scaleTypes.read(readJson(call.request, 'Scale'));
  refuseOtherName(scale, call.ask.name!, call.ask.namespace);
  return written(resource, call, wanted, 'UpdateOptions', () => scale);
};

export const patchScale: Verb = async (resource, call, wanted) => {
  return written(resource, call, wanted, 'PatchOptions', (old) =>
    readPatched(scaleTypes, patched(call.request, scaleTypes, old)),
  );
};

async function written(
  { printed, registry, owner }: Parameters<Verb>[0],
  { request, ask, query, atMost }: Parameters<Verb>[1],
  wanted: Parameters<Verb>[2],
  options: 'UpdateOptions' | 'PatchOptions',
  change: (old: KubeObject) => KubeObject,
) {
  const { name, namespace } = ask;
  const fields = printed.scale!;
  const { dryRun } = readWriteOptions(query, options);
  const { object } = await registry.update(name!, { namespace, dryRun, atMost }, (old) => {
    const made = { ...change(scaleOf(old!, fields)) };
    // What CRDs define checks the number itself.
    const scale = printed.listKind ? made : checked(made);
    return owner.tracked(old, scaled(old!, scale, fields), managerOf(request, query), 'scale');
  });
  return objectReply(200, scaleOf(object, fields), wanted);
}

/** Follows objects in members: reports their status in their Works, and has changes by others corrected (FED-8, FED-12). */

import { isDeepStrictEqual } from 'node:util';
import { keyOf } from '@fleet/client/informer.ts';
import { isStatus } from '@fleet/client/kube-client.ts';
import type { Health } from '../api/bindings.ts';
import type { AnyObject, JsonObject } from '../api/objects.ts';
import { objectPath, worksPath } from '../api/paths.ts';
import type { ManifestStatus, Work } from '../api/works.ts';
import type { ApplyController } from '../apply/apply-controller.ts';
import { type Pipeline, reconciling, worksOf } from '../pipeline.ts';
import { workNameOf } from '../work/marks.ts';
import { clusterOfSpace } from '../work/work-name.ts';

export interface ReflectController extends AsyncDisposable {
  changed(cluster: string, now: AnyObject | undefined, old: AnyObject | undefined): void;
}

export function reflectStatus(pipeline: Pipeline, apply: Pick<ApplyController, 'compare'>): ReflectController {
  const works = worksOf(pipeline);
  const queue = reconciling(pipeline, 'status of members', (key) => reflect(pipeline, key), 8);
  // A Work that was written after its object was seen.
  const watch = works.subscribe((key, now, old) => {
    if (now && !(old && isDeepStrictEqual(old.status?.manifestStatuses, now.status?.manifestStatuses))) {
      queue.add(key, key);
    }
  });
  const hooks = pipeline.onHooks(() => {
    for (const work of works.values()) queue.add(keyOf(work), keyOf(work));
  });
  return {
    changed(cluster, now, old) {
      const name = now ? workNameOf(now) : old && workNameOf(old);
      const work = name === undefined ? undefined : works.get(name);
      if (!work || clusterOfSpace(work.metadata.namespace ?? '') !== cluster) return;
      apply.compare(work);
      queue.add(keyOf(work), keyOf(work));
    },
    async [Symbol.asyncDispose]() {
      hooks[Symbol.dispose]();
      watch[Symbol.dispose]();
      await queue[Symbol.asyncDispose]();
    },
  };
}

async function reflect(pipeline: Pipeline, key: string): Promise<void> {
  const { client, templates, objects, record, pace } = pipeline;
  const work = worksOf(pipeline).get(key);
  const cluster = clusterOfSpace(work?.metadata.namespace ?? '');
  const [manifest] = work?.spec.workload?.manifests ?? [];
  if (!work || work.metadata.deletionTimestamp !== undefined || cluster === undefined || !manifest) return;
  const resource = templates.kinds.of(manifest);
  const observed = resource && objects.get(cluster, resource, { ...manifest, ...manifest.metadata });
  if (!observed) return;
  const about = { apiVersion: 'work.karmada.io/v1alpha1', kind: 'Work', metadata: work.metadata };
  const text = `${manifest.kind}/${manifest.metadata.namespace ?? ''}/${manifest.metadata.name}`;
  let status: JsonObject | undefined;
  try {
    status = await pipeline.explorer.reflect(observed);
  } catch (error) {
    record(
      about,
      'Warning',
      'ReflectStatusFailed',
      `Reflect status for object(${text}) failed, err: ${(error as Error).message}.`,
    );
    throw error;
  }
  const health = await healthOf(pipeline, observed, about, text);
  const manifestStatus = {
    identifier: identifierOf(manifest),
    ...(status ? { status } : {}),
    health: health ?? 'Unknown',
  };
  if (same(work.status?.manifestStatuses, manifestStatus)) return;
  const path = objectPath(worksPath, work);
  if (pace.isDue) await pace.rest();
  try {
    const { resourceVersion } = work.metadata;
    await client.patch(`${path}/status`, 'merge', {
      metadata: { resourceVersion },
      status: { manifestStatuses: [manifestStatus] },
    });
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
    return;
  }
  if (health) {
    const message = `Interpret health of object(${text}) as ${health.toLowerCase()}.`;
    record(about, 'Normal', 'InterpretHealthSucceed', message);
  }
  record(about, 'Normal', 'ReflectStatusSucceed', `Reflect status for object(${text}) succeed.`);
}

/** Undefined if it is not known. */
async function healthOf(
  { explorer, record }: Pipeline,
  observed: AnyObject,
  about: { apiVersion: string; kind: string; metadata: Work['metadata'] },
  text: string,
): Promise<Health | undefined> {
  try {
    return await explorer.health(observed);
  } catch (error) {
    record(
      about,
      'Warning',
      'InterpretHealthFailed',
      `Interpret health of object(${text}) failed, err: ${(error as Error).message}.`,
    );
    return undefined;
  }
}

function identifierOf({ apiVersion, kind, metadata }: AnyObject): ManifestStatus['identifier'] {
  const [version = '', group] = apiVersion.split('/').reverse();
  const { namespace, name } = metadata;
  return {
    ordinal: 0,
    ...(group ? { group } : {}),
    version,
    kind,
    resource: '',
    ...(namespace ? { namespace } : {}),
    name,
  };
}

/** Keys that servers reorder do not matter: what was written is compared as it comes back. */
const same = (known: readonly ManifestStatus[] | undefined, desired: ManifestStatus): boolean =>
  known?.length === 1 && sortedText(known[0]) === sortedText(desired);

const sortedText = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );

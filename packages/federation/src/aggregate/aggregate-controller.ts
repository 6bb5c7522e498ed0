/** Aggregates the statuses of a binding's Works into the binding, and from there into the template (FED-12, FED-16). */

import { keyOf } from '@fleet/client/informer.ts';
import { isStatus } from '@fleet/client/kube-client.ts';
import type { AggregatedStatusItem, Binding } from '../api/bindings.ts';
import type { AnyObject } from '../api/objects.ts';
import type { Work } from '../api/works.ts';
import { clustersOf, fullyApplied, withCondition } from '../binding/conditions.ts';
import { ownersOf } from '../binding/owners.ts';
import { isSameButStatus } from '../binding/same-but-status.ts';
import { templateOf } from '../binding/template-of.ts';
import {
  bindingPath,
  bindingSubject,
  bindingsOf,
  bindingWithKey,
  type Pipeline,
  reconciling,
  worksOf,
} from '../pipeline.ts';
import { bindingIdOf } from '../work/marks.ts';
import { clusterOfSpace } from '../work/work-name.ts';
import { worksOfBinding } from '../work/works-of-binding.ts';

/**
 * One cluster after the other reports, and what is written each time has an entry for every cluster. So of many clusters several
 * reports are written together, and what a template costs grows with its clusters, not with their square.
 */
const millisPerCluster = 25;
const longestPause = 1_000;
const pauseOf = ({ spec }: Binding): number => Math.min(longestPause, millisPerCluster * clustersOf(spec).size);

export function aggregateStatus(pipeline: Pipeline): AsyncDisposable {
  const works = worksOf(pipeline);
  const worksByBinding = works.index('binding', (work) => bindingIdOf(work) ?? []);
  const queue = reconciling(pipeline, 'aggregated status', (key) => reconcile(key), 8);
  const bindingsById = bindingsOf(pipeline).map((bindings) =>
    bindings.index('permanent id', (binding) => bindingIdOf(binding) ?? []),
  );

  const addSoon = (binding: Binding) => queue.addAfter(keyOf(binding), keyOf(binding), pauseOf(binding));
  const addOf = (work: Work) => {
    const [id] = bindingIdOf(work) ?? [];
    if (id === undefined) return;
    for (const index of bindingsById) for (const binding of index.get(id)) addSoon(binding);
  };

  const reconcile = async (key: string): Promise<void> => {
    const binding = bindingWithKey(pipeline, key);
    if (!binding || binding.metadata.deletionTimestamp !== undefined) return;
    const items = itemsOf(worksOfBinding(worksByBinding, binding), binding);
    await writeBinding(pipeline, binding, items);
    await writeTemplate(pipeline, binding, items);
  };

  const watches = [
    works.subscribe((_key, now, old) => {
      const work = now ?? old;
      if (work) addOf(work);
    }),
    ...bindingsOf(pipeline).map((bindings) =>
      bindings.subscribe((key, now, old) => {
        if (!now) return;
        // Its own writes come by, too.
        if (isSameButStatus(now, old)) addSoon(now);
        else queue.add(key, key);
      }),
    ),
    pipeline.onHooks(() => {
      for (const bindings of bindingsOf(pipeline)) {
        for (const binding of bindings.values()) queue.add(keyOf(binding), keyOf(binding));
      }
    }),
    // The template's status was written by somebody else, or its generation has changed.
    pipeline.templates.subscribe((now, old) => {
      if (!now) return;
      const isOld = isSameButStatus(now, old);
      for (const bindings of bindingsOf(pipeline)) {
        const byOwner = bindings.index('owner', ownersOf);
        for (const binding of byOwner.get(now.metadata.uid ?? '')) {
          if (isOld) addSoon(binding);
          else queue.add(keyOf(binding), keyOf(binding));
        }
      }
    }),
  ];
  return {
    async [Symbol.asyncDispose]() {
      for (const watch of watches) watch[Symbol.dispose]();
      await queue[Symbol.asyncDispose]();
    },
  };
}

function itemsOf(works: Iterable<Work>, { spec }: Binding): AggregatedStatusItem[] {
  const items: AggregatedStatusItem[] = [];
  for (const {
    metadata,
    spec: { workload },
    status,
  } of works) {
    const clusterName = clusterOfSpace(metadata.namespace ?? '');
    const [manifest] = workload?.manifests ?? [];
    if (metadata.deletionTimestamp !== undefined || clusterName === undefined || !manifest) continue;
    if (manifest.kind !== spec.resource.kind || manifest.metadata.name !== spec.resource.name) continue;
    const applied = status?.conditions?.find(({ type }) => type === 'Applied');
    if (applied?.status !== 'True') {
      const appliedMessage = applied?.message;
      items.push({ clusterName, ...(appliedMessage ? { appliedMessage } : {}), health: 'Unknown' });
      continue;
    }
    const [reported] = status?.manifestStatuses ?? [];
    items.push({
      clusterName,
      ...(reported?.status ? { status: reported.status } : {}),
      applied: true,
      health: reported?.health ?? 'Unknown',
    });
  }
  return items.sort((a, b) => (a.clusterName < b.clusterName ? -1 : 1));
}

async function writeBinding(pipeline: Pipeline, binding: Binding, items: AggregatedStatusItem[]): Promise<void> {
  const { client, now, record } = pipeline;
  const known = binding.status?.conditions ?? [];
  const conditions = withCondition(known, fullyApplied(binding.spec, items), now());
  const isSame = JSON.stringify(binding.status?.aggregatedStatus ?? []) === JSON.stringify(items);
  if (isSame && conditions === known) return;
  const { resourceVersion } = binding.metadata;
  const status = { conditions, aggregatedStatus: items };
  try {
    await client.patch(`${bindingPath(binding)}/status`, 'merge', { metadata: { resourceVersion }, status });
  } catch (error) {
    if (isStatus(error, 404)) return;
    if (!isStatus(error, 409))
      record(bindingSubject(binding), 'Warning', 'AggregateStatusFailed', (error as Error).message);
    throw error;
  }
  const { kind } = bindingSubject(binding);
  const message = `Update ${kind}(${keyOf(binding)}) with AggregatedStatus successfully.`;
  record(bindingSubject(binding), 'Normal', 'AggregateStatusSucceed', message);
}

async function writeTemplate(pipeline: Pipeline, binding: Binding, items: AggregatedStatusItem[]): Promise<void> {
  const { client, templates, explorer, record } = pipeline;
  const template = templateOf(templates, binding);
  if (!template) return;
  const aggregated = await explorer.aggregate(template, items);
  if (aggregated === template || aggregated === undefined) return;
  const path = templates.kinds.pathOf(binding.spec.resource);
  try {
    // The copy has no managed fields, which an update without them keeps.
    await client.replace<AnyObject>(`${path}/status`, aggregated);
  } catch (error) {
    if (isStatus(error, 404)) return;
    if (!isStatus(error, 409)) record(template, 'Warning', 'AggregateStatusFailed', (error as Error).message);
    throw error;
  }
  record(template, 'Normal', 'AggregateStatusSucceed', 'Update Resource with AggregatedStatus successfully.');
}

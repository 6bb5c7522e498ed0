/** The objects of all members: laid once, and one of each namespace written again and again, so that open watches have events. */

import { setTimeout as pause } from 'node:timers/promises';
import type { Api } from '@fleet/bed/api.ts';
import { until } from '@fleet/bed/until.ts';
import { namespaces, type Question, resources } from './questions.ts';

const parts = { alpha: 'a', beta: 'b', gamma: 'a', delta: 'b' } as const;

export async function layObjects(api: Api): Promise<void> {
  for (const name of namespaces)
    await api.object('/api/v1/namespaces', { method: 'POST', body: { metadata: { name } } });
  for (const namespace of namespaces) {
    for (const resource of resources)
      for (const [name, part] of Object.entries(parts))
        await api.object(`/api/v1/namespaces/${namespace}/${resource}`, {
          method: 'POST',
          body: { metadata: { name, labels: { part } } },
        });
    // A controller makes it in every namespace.
    const made = `/api/v1/namespaces/${namespace}/configmaps/kube-root-ca.crt`;
    await until(made, async () => (await api.ask(made)).code === 200);
  }
}

/** The uids of all of them. */
export async function uidsOf(api: Api): Promise<string[]> {
  const lists = await Promise.all(
    resources.map((resource) => api.object<{ items: { metadata: { uid: string } }[] }>(`/api/v1/${resource}`)),
  );
  return lists.flatMap(({ items }) => items.map(({ metadata }) => metadata.uid));
}

/** What an answer to the question holds where it is allowed, as `namespace/name`. */
export function rowsFor({ resource, namespace, name, isSelected }: Question): ReadonlySet<string> {
  const there = Object.entries(parts).filter(([one, part]) => (name || one) === one && (!isSelected || part === 'a'));
  const all = there.map(([one]) => one);
  if (resource === 'configmaps' && name === '' && !isSelected) all.push('kube-root-ca.crt');
  return new Set(
    namespaces.filter((one) => (namespace || one) === one).flatMap((one) => all.map((row) => `${one}/${row}`)),
  );
}

/** Until the signal. `alpha` is selected by whatever selects at all, but for the name `beta`. */
export async function tick(api: Api, signal: AbortSignal): Promise<void> {
  for (let n = 1; !signal.aborted; n++) {
    for (const namespace of namespaces)
      for (const resource of resources)
        await api.object(`/api/v1/namespaces/${namespace}/${resource}/alpha`, {
          method: 'PATCH',
          contentType: 'application/merge-patch+json',
          body: { metadata: { annotations: { n: String(n) } } },
        });
    await pause(500, undefined, { signal }).catch(() => {});
  }
}

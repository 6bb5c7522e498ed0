/** An informer over all simulated clusters, while members join and are lost. */

import { join } from 'node:path';
import { CoreV1Api, type Informer, makeInformer, type ObjectCache, type V1ConfigMap } from '@kubernetes/client-node';
import { describe, expect, it, vi } from 'vitest';
import { answersOf, type Variant } from './cached-fleet.ts';
import { type FleetOptions, type SimulatedFleet, startFleet } from './fleet.ts';

const path = '/api/v1/namespaces/default/configmaps';
const selector = 'watched=yes';

/** What it has seen, as `verb name value`, and what it holds. */
async function follow(fleet: SimulatedFleet) {
  const config = await fleet.config();
  const api = config.makeApiClient(CoreV1Api);
  const list = () => api.listNamespacedConfigMap({ namespace: 'default', labelSelector: selector });
  const informer: Informer<V1ConfigMap> & ObjectCache<V1ConfigMap> = makeInformer(config, path, list, selector);
  const seen: string[] = [];
  const shown = ({ metadata, data }: V1ConfigMap) => `${metadata!.name} ${data?.['at'] ?? ''}`;
  for (const verb of ['add', 'update', 'delete'] as const) {
    informer.on(verb, (object) => void seen.push(`${verb} ${shown(object)}`));
  }
  // A stream that the server ended is opened again, as a controller would.
  informer.on('error', () => void setTimeout(() => void informer.start(), 100));
  await informer.start();
  return {
    seen,
    held: () => informer.list().map(shown).sort(),
    [Symbol.asyncDispose]: () => informer.stop(),
  };
}

const map = (name: string, at: string) => ({ metadata: { name, labels: { watched: 'yes' } }, data: { at } });

async function write(fleet: SimulatedFleet, member: string, name: string, at: string): Promise<void> {
  const { client } = fleet.members.get(member)!;
  await client.patch(`${path}/${name}?fieldManager=test&force=true`, 'apply', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    ...map(name, at),
  });
}

const dropsDeletions = {
  file: 'server/src/merge/live-events.ts',
  from: "if (read.type !== 'BOOKMARK') events.push({ line, read, position });",
  to: "if (read.type !== 'BOOKMARK' && read.type !== 'DELETED') events.push({ line, read, position });",
};
const dropsCachedDeletions = {
  file: 'server/src/cache/cached-events.ts',
  from: 'events: eventsOf(answer, form),',
  to: "events: eventsOf(answer, form).filter(({ read }) => read.type !== 'DELETED'),",
};

const settled = { timeout: 30_000, interval: 50 };

export function watchesSuite({ variants, ...options }: Partial<FleetOptions> & { variants: readonly Variant[] }): void {
  describe.each(variants)('an informer over all clusters, $variant', ({ cached }) => {
    it('WATCH-1, WATCH-5, WATCH-6: sees changes of all, of one that joins, and nothing deleted by one that is lost', async () => {
      await using fleet = await startFleet({ members: ['member1'], cached, ...options });
      await fleet.add('member2', { directory: join(fleet.folder, 'member2') });
      await write(fleet, 'member1', 'a', '1');
      const answersBefore = await answersOf(fleet);
      await using followed = await follow(fleet);
      await vi.waitUntil(() => followed.held().length === 1, settled);

      await write(fleet, 'member2', 'b', '1');
      await write(fleet, 'member1', 'a', '2');
      await vi.waitFor(() => {
        expect(followed.held()).toEqual(['a.clusterspace.member1 2', 'b.clusterspace.member2 1']);
      }, settled);
      // CACHE-17: its lists and watches came from the source that the metric reports.
      expect((await answersOf(fleet)).cached > answersBefore.cached).toBe(cached);

      const joined = await fleet.add('member3');
      await joined.client.create(path, map('c', '1'));
      await vi.waitUntil(() => followed.held().includes('c.clusterspace.member3 1'), settled);

      // Lost, and back with the same objects, port and history.
      const lost = fleet.members.get('member2')!;
      await lost[Symbol.asyncDispose]();
      await write(fleet, 'member1', 'a', '3');
      await vi.waitUntil(() => followed.held().includes('a.clusterspace.member1 3'), settled);
      expect(followed.held()).toContain('b.clusterspace.member2 1');
      await fleet.restart('member2');
      await write(fleet, 'member2', 'b', '2');
      await vi.waitUntil(() => followed.held().includes('b.clusterspace.member2 2'), settled);
      expect(followed.seen.filter((line) => line.startsWith('delete'))).toEqual([]);

      const { client } = fleet.members.get('member1')!;
      await client.delete(`${path}/a`);
      await vi.waitUntil(() => followed.seen.some((line) => line.startsWith('delete a.clusterspace.member1')), settled);
      expect(followed.held()).toEqual(['b.clusterspace.member2 2', 'c.clusterspace.member3 1']);
    });
  });
}

export function watchesControl({
  variants,
  ...options
}: Partial<FleetOptions> & { variants: readonly Variant[] }): void {
  describe.each(variants)('an informer over all clusters, $variant', ({ cached }) => {
    it('WATCH-1: a product that drops an event is noticed', async () => {
      const mutant = cached ? dropsCachedDeletions : dropsDeletions;
      await using fleet = await startFleet({ members: ['member1'], mutant, cached, ...options });
      await using followed = await follow(fleet);
      await write(fleet, 'member1', 'a', '1');
      await vi.waitUntil(() => followed.held().length === 1, settled);
      await fleet.members.get('member1')!.client.delete(`${path}/a`);
      await write(fleet, 'member1', 'b', '1');
      await vi.waitUntil(() => followed.held().includes('b.clusterspace.member1 1'), settled);
      expect(followed.held()).toContain('a.clusterspace.member1 1');
    });
  });
}

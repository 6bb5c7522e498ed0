/**
 * The proposal of a resource aggregation proxy: its goals, risks, both stories, routing, versions and tables, on real clusters
 * with kubectl and a controller of controller-runtime. What it leaves open is in the titles: "…" is the document's own text.
 *
 * Shown in other suites, and not repeated: ResourceRegistries that change under a watch, namespaces in them, kinds that only some
 * members have, discovery, `explain` and `can-i` in `test/simulated/aggregation-registries.bed.ts`; conflicts of two writers, the
 * annotation that is never stored, eviction, 405 of deletecollection and permissions that are revoked in
 * `test/simulated/aggregation.sim.ts`; that cached lists are the members' own, to the byte, in `cache.bed.ts`.
 */

import { until } from '@fleet/bed/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeGoals } from './aggregation-proxy/goals.ts';
import { describeRouting } from './aggregation-proxy/routing.ts';
import {
  isFilled,
  mergePatch,
  parsed,
  pods,
  proxying,
  type Scene,
  type ShownList,
  startExample,
  witnessed,
} from './aggregation-proxy/scene.ts';
import { stories } from './aggregation-proxy/stories.ts';
import { describeTables } from './aggregation-proxy/tables.ts';
import { describeVersions, watchStory } from './aggregation-proxy/versions.ts';

let fleet: Scene;
beforeAll(async () => {
  fleet = await startExample();
});
afterAll(() => fleet?.[Symbol.asyncDispose]());
const scene = () => fleet;

describeGoals(scene);
stories(scene);
describeRouting(scene);
describeVersions(scene);
describeTables(scene);

describe('a cluster that goes', () => {
  test('CACHE-12: while cluster2 is silent its last known pods are listed; what changes something goes nowhere unnamed', async () => {
    const { product, members } = fleet;
    const list = `${proxying}${pods}?labelSelector=app%3Dnginx&resourceVersion=0`;
    const names = async () => parsed<ShownList>(await product.api.ask(list)).items.map(({ metadata }) => metadata.name);
    const all = await names();
    expect(all).toContain('nginx-4');
    await members.cluster2.faults.freeze();
    try {
      expect(await names()).toEqual(all);
      const patch = { method: 'PATCH', contentType: mergePatch, body: {}, timeout: 20_000 };
      // Until it is noticed the cache counts: it has no nginx-1 of cluster2 (CACHE-8).
      const unnamed = () => product.api.ask(`${proxying}${pods}/nginx-1`, patch);
      await until('it is noticed', async () => (await unnamed()).code === 503);
      expect((await unnamed()).body).toContain('nginx-1.clusterspace.{cluster}');
      expect((await product.api.ask(`${proxying}${pods}/nginx-1.clusterspace.cluster1`, patch)).code).toBe(200);
    } finally {
      await members.cluster2.faults.thaw();
    }
    await until('it is back', async () => (await product.api.ask(`${proxying}${pods}/nginx-4`)).code === 200);
  });
});

describe('negative controls', () => {
  test('RV-4: events that name their own cluster alone are noticed', async () => {
    await using product = await fleet.withMutant({
      file: 'server/src/watch/event-versions.ts',
      from: 'event.withVersion(combineVersions(sent))',
      to: 'event.withVersion(combineVersions(new Map([[event.cluster, event.position]])))',
    });
    await isFilled(product);
    await expect(watchStory({ product, members: fleet.members })).rejects.toThrow();
  });

  test('CACHE-8: a write that goes to the first cluster instead of the one that has it is noticed', async () => {
    await using product = await fleet.withMutant({
      file: 'server/src/find/pass-found.ts',
      from: 'const first = onlyOne(request, sought);',
      to: 'const first = { ...onlyOne(request, sought), cluster: clusters[0] ?? "" };',
    });
    await isFilled(product);
    const patch = { method: 'PATCH', contentType: mergePatch, body: { metadata: { labels: { wrong: 'yes' } } } };
    const { answer, seen } = await witnessed({ ...fleet, product }, `${proxying}${pods}/nginx-3`, patch);
    expect(answer.code).toBe(404);
    expect(seen.cluster1).toContain(`patch ${pods}/nginx-3 404`);
  });

  test('CACHE-10: a product that asks a member for what is not registered is noticed', async () => {
    await using product = await fleet.withMutant({
      file: 'server/src/target/families/aggregation.ts',
      from: 'const own = onePlace(asked, requestOptions, karmada, permission, address);',
      to: "const own = onePlace(asked, requestOptions, 'cluster1', permission, address);",
    });
    const { answer, seen } = await witnessed({ ...fleet, product }, `${proxying}/api/v1/namespaces`);
    expect(answer.body).not.toContain('"karmada-cluster"');
    expect(seen).toEqual({ cluster1: ['list /api/v1/namespaces 200'], cluster2: [] });
  });
});

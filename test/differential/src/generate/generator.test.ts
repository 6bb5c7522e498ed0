import { describe, expect, it } from 'vitest';
import { allKinds } from '../kinds/all.ts';
import { type Call, callsOf, type Step } from '../request.ts';
import { generate } from './generator.ts';

function steps(seed: number, count: number): Step[] {
  return generate({ seed, lane: 0, kinds: allKinds, invalid: 1 / 3 })
    .take(count)
    .toArray();
}

const calls = (seed: number, count: number): Call[] => steps(seed, count).flatMap(callsOf);

describe('requests of a seed', () => {
  it('are the same each time, and others for another seed', () => {
    expect(steps(7, 500)).toEqual(steps(7, 500));
    expect(steps(7, 500)).not.toEqual(steps(8, 500));
  });

  it('begin with what a seed may miss', () => {
    const first = calls(7, 4).map(({ flaw, resource }) => [flaw, resource]);
    expect(first).toEqual([
      ['twice wrong', 'widgets'],
      ['no kind', 'widgets'],
      ['unknown field inside', 'widgets/scale'],
      ['version too large', 'events'],
    ]);
  });

  it('are invalid for about a third', () => {
    const all = calls(1, 5000);
    const share = all.filter((call) => call.intent === 'invalid').length / all.length;
    expect(share).toBeGreaterThan(0.28);
    expect(share).toBeLessThan(0.42);
  });

  it('have every verb, every kind, every patch type and every form of answer', () => {
    const all = calls(2, 5000);
    const verbs = ['create', 'get', 'list', 'watch', 'update', 'patch', 'apply', 'delete', 'deletecollection'];
    expect(new Set(all.map((call) => call.verb))).toEqual(new Set(verbs));
    const resources = new Set(all.map((call) => call.resource));
    for (const { resource } of allKinds) expect(resources).toContain(resource);
    for (const sub of [
      'widgets/scale',
      'deployments/scale',
      'widgets/status',
      'serviceaccounts/token',
      'pods/eviction',
    ]) {
      expect(resources).toContain(sub);
    }
    const types = new Set(all.map((call) => call.request.headers['content-type']));
    for (const way of [
      'json-patch+json',
      'merge-patch+json',
      'strategic-merge-patch+json',
      'apply-patch+yaml',
      'yaml',
      'json',
    ]) {
      expect(types).toContain(`application/${way}`);
    }
    const forms = all.map((call) => call.request.headers['accept'] ?? '').join(' ');
    for (const form of ['Table', 'PartialObjectMetadataList', 'protobuf', 'yaml', 'cbor'])
      expect(forms).toContain(form);
  });
});

describe('requests never', () => {
  const all = calls(3, 20_000);

  it('remove a collection without the label of the run', () => {
    const removals = all.filter((call) => call.verb === 'deletecollection');
    expect(removals.length).toBeGreaterThan(50);
    for (const { request } of removals)
      expect(Object.fromEntries(request.query)['labelSelector']).toContain('lane=@{scope}-0');
  });

  const dry = (call: Call) =>
    /"dryRun":\["All"\]|dryRun:/.test(call.request.body ?? '') ||
    Object.fromEntries(call.request.query)['dryRun'] === 'All';

  it('write by a way that a server may refuse or take, as it likes', () => {
    const odd = all.filter(({ flaw, request }) => flaw === 'odd way' && !request.path.endsWith('/'));
    const writes = odd.filter(({ request }) => request.method !== 'GET');
    expect(writes.length).toBeGreaterThan(50);
    expect(writes.filter((call) => !dry(call)).map(({ request }) => request.path)).toEqual([]);
  });

  it('really delete a namespace or a definition, or write a definition', () => {
    const kept = all.filter(
      (call) => ['namespaces', 'customresourcedefinitions'].includes(call.resource) && call.verb === 'delete',
    );
    expect(kept.length).toBeGreaterThan(20);
    for (const call of kept) if (call.intent === 'valid') expect(dry(call)).toBe(true);
  });

  it('really apply what kube-apiserver keeps otherwise than it shows', () => {
    const applied = all.filter(
      ({ verb, resource, request }) =>
        verb === 'apply' &&
        ['widgets', 'gadgets'].includes(resource) &&
        /annotations|finalizers/.test(request.body ?? '') &&
        // the last write of a watch
        Object.fromEntries(request.query)['fieldManager'] !== 'ender',
    );
    expect(applied.length).toBeGreaterThan(50);
    const real = applied.filter((call) => !dry(call) && call.flaw !== 'bad dry run');
    expect(real.map((call) => call.flaw)).toEqual([]);
  });

  it('make an object in the cluster’s scope that is not the run’s own', () => {
    const made = all.filter(({ verb, resource }) => verb === 'create' && resource.startsWith('clusterrole'));
    expect(made.length).toBeGreaterThan(150);
    const foreign = made.filter(({ request }) => {
      const name = /(?:"name":|^ +name: )"?([^",\n]+)/m.exec(request.body ?? '')?.[1];
      return name !== undefined && !name.startsWith('@{scope}') && !/account|user|group|alpha/.test(name);
    });
    expect(foreign.map((call) => call.flaw)).toEqual([]);
  });

  it('have a name made of what cannot be distinguished from its random end', () => {
    const made = all.flatMap(({ request }) => /"?generateName"?:\s*"?([^",\n]+)/.exec(request.body ?? '')?.[1] ?? []);
    expect(made.length).toBeGreaterThan(50);
    expect(made.filter((prefix) => !/^(@\{scope\}-0-)?gen\d{4}-$/.test(prefix))).toEqual([]);
  });

  it('list others’ objects in the cluster’s scope', () => {
    const lists = all.filter(
      (call) => call.verb === 'list' && call.resource === 'clusterroles' && call.intent === 'valid',
    );
    for (const { request } of lists) expect(Object.fromEntries(request.query)['labelSelector']).toContain('lane=');
  });
});

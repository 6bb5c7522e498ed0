import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FeedReport } from './feed-report.ts';
import { differenceOf, type StatusContext, statusOf } from './registry-status.ts';
import { mostRows, type RegisteredResource, RegistryTally } from './registry-tally.ts';
import type { RegistryStatus, ResourceRegistry } from './resource-registry.ts';

const registry: ResourceRegistry = { metadata: { name: 'r', generation: 3 } };
const noon = Date.parse('2026-05-01T12:00:00Z');
const context: StatusContext = { now: noon, kindsOf: (cluster) => ['deployments.apps', `pods-of-${cluster}`] };

const pods = (cluster: string): RegisteredResource => ({
  cluster,
  group: '',
  version: 'v1',
  resource: 'pods',
  kind: 'Pod',
  namespace: undefined,
});
const report = (is: FeedReport['is'], more: Partial<FeedReport> = {}): FeedReport => ({
  is,
  objects: 2,
  bytes: 100,
  lastEvent: noon,
  ...more,
});

function tallyOf(...reports: FeedReport[]): RegistryTally {
  const tally = new RegistryTally();
  for (const [index, one] of reports.entries()) {
    tally.clusters++;
    tally.add(pods(`m${String(index).padStart(4, '0')}`), one);
  }
  return tally;
}

const verdict = (tally: RegistryTally) => {
  const { status, reason, message } = statusOf(registry, tally, context).conditions[0]!;
  return [status, reason, message];
};

describe('CACHE-2: the condition Synced', () => {
  it('is True when everything is', () => {
    expect(verdict(tallyOf(report('synced'), report('synced')))).toEqual(['True', 'AllSynced', '2 of 2 synced.']);
  });

  it('CACHE-1: reports what is left out, as a registry has a bound', () => {
    const tally = tallyOf(report('synced'), report('synced'));
    for (const [cluster, count] of [
      ['m0000', 12],
      ['m0001', 0],
    ] as const)
      tally.addOmitted(cluster, count);
    expect(verdict(tally)).toEqual([
      'False',
      'TooManyResources',
      '2 of 2 synced. Not cached, as a registry has 500 resources of a cluster at most, and 2000 with each namespace counted: 12 of m0000.',
    ]);
  });

  it('names what is to be done first, and counts the rest', () => {
    const tally = tallyOf(
      report('filling'),
      ...Array.from({ length: 5 }, () => report('unreachable')),
      report('full'),
      report('unreadable'),
      report('not-granted'),
      report('synced'),
    );
    expect(verdict(tally)).toEqual([
      'False',
      'MissingGrants',
      '1 of 10 synced. Not granted: m0008 pods. ' +
        '"fleet join m0008 --kubeconfig FILE --cache-kinds deployments.apps,pods-of-m0008" grants it. ' +
        'Does not fit into --cache-memory, and is read from the members: m0006 pods. ' +
        'Unreachable: m0001 pods, m0002 pods, m0003 pods and 2 more. ' +
        'Answers cannot be read: m0007 pods. Filling: m0000 pods.',
    ]);
  });

  it('a kind that some members lack is left out; one that all lack is not synced', () => {
    const widget = { apiVersion: 'example.dev/v1', kind: 'Widget' };
    const tally = tallyOf(report('synced'), report('synced'));
    tally.addUnmatched('m0000', widget, true);
    expect(verdict(tally)).toEqual(['True', 'AllSynced', '2 of 2 synced. Not served, and so left out: m0000 Widget.']);
    tally.addUnmatched('m0001', widget, true);
    expect(verdict(tally)).toEqual([
      'False',
      'NotServed',
      '2 of 2 synced. Served by none of 2 clusters: Widget of example.dev/v1.',
    ]);
  });

  it('a part whose kind is disputed is missing, not absent', () => {
    const tally = tallyOf(report('synced'));
    const mesh = { group: 'x.io', version: 'v1', resource: 'meshes', kind: 'Mesh', namespace: undefined };
    tally.addDisputed({ ...mesh, cluster: 'm0000' });
    expect(verdict(tally)).toEqual([
      'False',
      'DisputedKind',
      '1 of 2 synced. Not cached, as the control plane or more clusters serve it as another kind: m0000 meshes.',
    ]);
    expect(tally.rows.resources.at(-1)).toMatchObject({ resource: 'meshes', kind: 'Mesh', reason: 'DisputedKind' });
    expect(tally.summary).toMatchObject({ total: 2, notServed: 0 });
  });

  it('what a member serves that was never read is not known', () => {
    const tally = tallyOf(report('synced'));
    tally.addUnmatched('m0000', { apiVersion: 'example.dev/v1', kind: 'Widget' }, false);
    expect(verdict(tally)).toEqual(['False', 'Filling', '1 of 2 synced. Filling: m0000 Widget.']);
  });

  it('no cluster is not synced', () => {
    expect(verdict(new RegistryTally()).slice(0, 2)).toEqual(['False', 'NoClusters']);
  });

  it('a command that grants too many kinds is not written out', () => {
    const kinds = Array.from({ length: 500 }, (_, index) => `kind-${index}`);
    const status = statusOf(registry, tallyOf(report('not-granted')), { ...context, kindsOf: () => kinds });
    expect(status.conditions[0]!.message.length).toBeLessThan(300);
  });

  it('its time is that of the last change of True and False; conditions of others stay', () => {
    const other = { type: 'Other', status: 'True', reason: 'R', message: '', lastTransitionTime: 'then' } as const;
    const first = statusOf({ ...registry, status: { conditions: [other] } }, tallyOf(report('filling')), context);
    expect(first.conditions).toMatchObject([
      other,
      { lastTransitionTime: '2026-05-01T12:00:00Z', observedGeneration: 3 },
    ]);
    const later = { ...context, now: noon + 60_000 };
    const second = statusOf({ ...registry, status: first }, tallyOf(report('unreachable')), later);
    expect(second.conditions[1]).toMatchObject({ reason: 'Unreachable', lastTransitionTime: '2026-05-01T12:00:00Z' });
    const third = statusOf({ ...registry, status: second }, tallyOf(report('synced')), later);
    expect(third.conditions[1]).toMatchObject({ status: 'True', lastTransitionTime: '2026-05-01T12:01:00Z' });
  });
});

describe('CACHE-2: counters and rows', () => {
  it('report each resource of each cluster', () => {
    const tally = tallyOf(report('synced'), report('unreachable', { error: 'x'.repeat(1_000), lastEvent: undefined }));
    tally.add(
      { ...pods('m0001'), group: 'apps', resource: 'deployments', kind: 'Deployment', namespace: 'a' },
      report('synced', { error: 'past' }),
    );
    const { summary, resources, omittedResources } = statusOf(registry, tally, context);
    expect(summary).toEqual({
      clusters: 2,
      resources: 2,
      synced: 2,
      total: 3,
      progress: '2/3',
      notServed: 0,
      objects: 6,
      bytes: 300,
    });
    const counts = { objects: 2, bytes: 100 };
    const lastEventTime = '2026-05-01T12:00:00Z';
    const pod = { apiVersion: 'v1', resource: 'pods', kind: 'Pod' };
    expect(resources).toEqual([
      { cluster: 'm0000', ...pod, synced: true, ...counts, lastEventTime },
      { cluster: 'm0001', ...pod, synced: false, reason: 'Unreachable', ...counts, lastError: 'x'.repeat(300) },
      {
        cluster: 'm0001',
        apiVersion: 'apps/v1',
        resource: 'deployments',
        kind: 'Deployment',
        namespace: 'a',
        synced: true,
        ...counts,
        lastEventTime,
      },
    ]);
    expect(omittedResources).toBe(0);
  });

  it('are bounded: of many, those that are not well, the urgent ones first', () => {
    const is = fc.constantFrom<FeedReport['is'][]>(
      'synced',
      'filling',
      'unreachable',
      'unreadable',
      'full',
      'not-served',
      'not-granted',
    );
    fc.assert(
      fc.property(fc.array(is, { minLength: mostRows + 1, maxLength: 400 }), (states) => {
        const { summary, resources, omittedResources } = statusOf(
          registry,
          tallyOf(...states.map((one) => report(one))),
          context,
        );
        const unwell = states.filter((one) => one !== 'synced');
        expect(resources).toHaveLength(Math.min(unwell.length, mostRows));
        expect(omittedResources).toBe(states.length - resources.length);
        expect(resources.every(({ synced }) => !synced)).toBe(true);
        const shown = resources.filter(({ reason }) => reason === 'MissingGrants').length;
        expect(shown).toBe(Math.min(states.filter((one) => one === 'not-granted').length, mostRows));
        expect(summary.synced).toBe(states.length - unwell.length);
        expect(summary.total + summary.notServed).toBe(states.length);
      }),
    );
  });
});

it('SEC-2: a status is bounded, whatever members report', () => {
  const tally = new RegistryTally();
  const huge = 'x'.repeat(1_000_000);
  for (let index = 0; index < 2 * mostRows; index++) {
    const one = { ...pods(`m${index}`), resource: huge, kind: huge };
    tally.clusters++;
    tally.add(one, report('unreachable', { error: huge }));
    tally.addDisputed(one);
  }
  const status = statusOf(registry, tally, context);
  expect(status.resources).toHaveLength(mostRows);
  expect(JSON.stringify(status).length).toBeLessThan(100_000);
});

it('SEC-2: an error that is cut within a character is written as the control plane keeps it', () => {
  const [row] = tallyOf(report('unreachable', { error: `${'x'.repeat(299)}😀` })).rows.resources;
  expect(row!.lastError).toBe(`${'x'.repeat(299)}\uFFFD`);
});

describe('what is worth a write', () => {
  const status = statusOf(registry, tallyOf(report('synced'), report('filling')), context);
  const compared = (...reports: FeedReport[]) =>
    differenceOf(status, statusOf({ ...registry, status }, tallyOf(...reports), { ...context, now: noon + 1_000 }));

  it('nothing that is there already, whatever the order of its keys', () => {
    const reordered = JSON.parse(JSON.stringify(status), (_, value: unknown) =>
      value && typeof value === 'object' && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).reverse())
        : value,
    ) as RegistryStatus;
    expect(differenceOf(reordered, status)).toBe('none');
  });

  it.each<[string, string, FeedReport[]]>([
    ['none', 'times alone', [report('synced', { lastEvent: noon + 60_000 }), report('filling')]],
    ['counts', 'times that are far behind', [report('synced', { lastEvent: noon + 300_000 }), report('filling')]],
    ['counts', 'objects', [report('synced', { objects: 3 }), report('filling')]],
    ['counts', 'bytes', [report('synced', { bytes: 101 }), report('filling')]],
    ['counts', 'the words of an error', [report('synced'), report('filling', { error: 'x' })]],
    ['material', 'another state', [report('synced'), report('unreachable')]],
    ['material', 'more clusters', [report('synced'), report('filling'), report('synced')]],
  ])('%s: %s', (difference, _, reports) => expect(compared(...reports)).toBe(difference));

  it('a status that is not there', () => expect(differenceOf(undefined, status)).toBe('material'));
});

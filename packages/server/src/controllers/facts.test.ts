import { describe, expect, it } from 'vitest';
import type { Apis } from '../discovery/discovery.ts';
import type { Member } from '../members/member.ts';
import { type Answer, FakeUpstream, openBody, replyOf, statusReply } from '../testing/fake-upstream.ts';
import { silentLog } from '../testing/silent-log.ts';
import { readFacts } from './facts.ts';

const list = (items: unknown[], next = '') => replyOf(200, { kind: 'List', metadata: { continue: next }, items });

const node = (ready: string, allocatable: Record<string, string>) => ({
  status: { allocatable, conditions: [{ type: 'Ready', status: ready }] },
});

const container = (requests: Record<string, string>, more = {}) => ({ resources: { requests }, ...more });

const pod = (spec: Record<string, unknown>, phase = 'Running') => ({ spec, status: { phase } });

const apis: Apis = {
  is: 'known',
  stale: [],
  core: { items: [{ metadata: {}, versions: [{ version: 'v1', resources: [resource('pods', 'Pod')] }] }] },
  groups: {
    items: [
      {
        metadata: { name: 'apps' },
        versions: [
          {
            version: 'v1',
            resources: [resource('statefulsets', 'StatefulSet'), resource('deployments', 'Deployment')],
          },
        ],
      },
    ],
  },
};

function resource(name: string, kind: string) {
  return { resource: name, responseKind: { kind }, scope: 'Namespaced' as const, singularResource: '', verbs: ['get'] };
}

const read = (answer: Answer, served: Apis = apis) => {
  const control = new FakeUpstream(answer);
  const member = { name: 'm1', control } as unknown as Member;
  const { log } = silentLog();
  return {
    control,
    update: readFacts(member, async () => served, new AbortController().signal, log),
  };
};

const summary = async (nodes: unknown[], pods: unknown[]) => {
  const { update } = read(({ path }) => list(path.startsWith('/api/v1/nodes') ? nodes : pods));
  return (await update).facts!;
};

describe('CLU-3: nodes and resources', () => {
  it('nodes are counted and what they offer is summed', async () => {
    const facts = await summary(
      [node('True', { cpu: '4', memory: '8Gi', pods: '110' }), node('Unknown', { cpu: '3500m', memory: '512Mi' })],
      [],
    );
    expect(facts.nodeSummary).toEqual({ totalNum: 2, readyNum: 1 });
    expect(facts.resourceSummary).toEqual({
      allocatable: { cpu: '7500m', memory: '8704Mi', pods: '110' },
      allocating: {},
      allocated: {},
    });
  });

  it('pods without a node are allocating; those on one allocated, unless they are over', async () => {
    const containers = [container({ cpu: '250m', memory: '64Mi' })];
    const { resourceSummary } = await summary(
      [],
      [
        pod({ containers }, 'Pending'),
        pod({ containers, nodeName: 'a' }),
        pod({ containers, nodeName: 'a' }, 'Pending'),
        pod({ containers, nodeName: 'a' }, 'Succeeded'),
        pod({ containers, nodeName: 'a' }, 'Failed'),
      ],
    );
    expect(resourceSummary).toMatchObject({
      allocating: { cpu: '250m', memory: '64Mi', pods: '1' },
      allocated: { cpu: '500m', memory: '128Mi', pods: '2' },
    });
  });

  it.each([
    ['the largest init container, if it asks for more', { initContainers: [container({ cpu: '2' })] }, '2'],
    ['not for init containers that ask for less', { initContainers: [container({ cpu: '10m' })] }, '100m'],
    ['sidecars beside the others', { initContainers: [container({ cpu: '1' }, { restartPolicy: 'Always' })] }, '1100m'],
    ['its overhead', { overhead: { cpu: '5m' } }, '105m'],
    ['the pod as a whole', { resources: { requests: { cpu: '3' } } }, '3'],
  ])('a pod asks for %s', async (_, spec, cpu) => {
    const { resourceSummary } = await summary([], [pod({ containers: [container({ cpu: '100m' })], ...spec })]);
    expect(resourceSummary?.allocating['cpu']).toBe(cpu);
  });

  it('lists are read in pages', async () => {
    const { control, update } = read(({ path }) => {
      if (path.startsWith('/api/v1/nodes')) return list([node('True', {})], path.includes('continue') ? '' : 'a&b');
      return list([]);
    });
    expect((await update).facts?.nodeSummary?.totalNum).toBe(2);
    expect(control.paths).toEqual([
      'GET /api/v1/nodes?limit=500',
      'GET /api/v1/nodes?limit=500&continue=a%26b',
      'GET /api/v1/pods?limit=500',
    ]);
  });

  it('SEC-2: if one of them is too large the rest is reported', async () => {
    const { update } = read(() => {
      const { body, write } = openBody(1_000);
      write(`{"kind":"NodeList","metadata":{},"items":[{"a":"${'x'.repeat(2_000)}"}]}`);
      body.end();
      return { status: 200, headers: {}, body };
    });
    expect(Object.keys((await update).facts ?? {})).toEqual(['apiEnablements']);
  });

  it('SEC-2: a refusal without end is dropped', async () => {
    const { body, write, aborted } = openBody(1_000);
    write('x'.repeat(2_000));
    const { update } = read(() => ({ status: 403, headers: {}, body }));
    await aborted;
    expect(Object.keys((await update).facts ?? {})).toEqual(['apiEnablements']);
  });

  it('IMP-6: where counting is not granted the rest is reported', async () => {
    const { update } = read(() => statusReply(403, 'Forbidden', 'no'));
    const { facts } = await update;
    expect(Object.keys(facts ?? {})).toEqual(['apiEnablements']);
  });
});

describe('CLU-3: API enablements', () => {
  const condition = async (served: Apis) => (await read(() => list([]), served).update).condition;

  it('are listed in one order', async () => {
    const { facts } = await read(() => list([])).update;
    expect(facts?.apiEnablements).toEqual([
      {
        groupVersion: 'apps/v1',
        resources: [
          { name: 'deployments', kind: 'Deployment' },
          { name: 'statefulsets', kind: 'StatefulSet' },
        ],
      },
      { groupVersion: 'v1', resources: [{ name: 'pods', kind: 'Pod' }] },
    ]);
  });

  it('CompleteAPIEnablements shows whether they are all', async () => {
    expect(await condition(apis)).toMatchObject({ status: 'True', reason: 'Complete' });
    expect(await condition({ ...apis, stale: ['metrics.k8s.io/v1beta1'] })).toMatchObject({
      status: 'False',
      reason: 'Partial',
      message: expect.stringContaining('metrics.k8s.io/v1beta1'),
    });
    expect(await condition({ ...apis, core: { items: [] }, groups: { items: [] } })).toMatchObject({ reason: 'Empty' });
    expect(await condition({ is: 'unknown' })).toMatchObject({ status: 'Unknown' });
  });

  const manyApis = (count: number, length: number): Apis => ({
    ...apis,
    groups: {
      items: Array.from({ length: count }, (_, index) => ({
        metadata: { name: `${index}.example.com` },
        versions: [{ version: 'v1', resources: [resource('x'.repeat(length), 'X')] }],
      })),
    },
  });

  it('SEC-2: more than a Cluster can list are left out, and the condition reports it', async () => {
    const { facts, condition } = await read(() => list([]), manyApis(10_000, 1_000)).update;
    const { length } = JSON.stringify(facts?.apiEnablements);
    expect(length).toBeGreaterThan(400 * 1024);
    expect(length).toBeLessThan(600 * 1024);
    const leftOut = 10_001 - facts!.apiEnablements!.length;
    expect(condition).toMatchObject({ status: 'False', reason: 'Partial' });
    expect(condition?.message).toContain(`${leftOut} group versions are left out`);
    const huge = (await read(() => list([]), manyApis(1, 2_000_000)).update).facts?.apiEnablements;
    expect(huge).toEqual([{ groupVersion: 'v1', resources: [{ name: 'pods', kind: 'Pod' }] }]);
  });

  it('SEC-2: 5,000 resources are listed', async () => {
    const { facts, condition } = await read(() => list([]), manyApis(5_000, 20)).update;
    expect(facts?.apiEnablements).toHaveLength(5_001);
    expect(condition).toMatchObject({ reason: 'Complete' });
  });

  it('SEC-2: a kind that is no text is none', async () => {
    const kind = { a: 'b' } as unknown as string;
    const items = [{ metadata: {}, versions: [{ version: 'v1', resources: [resource('pods', kind)] }] }];
    const { facts } = await read(() => list([]), { ...apis, core: { items } }).update;
    expect(facts?.apiEnablements?.at(-1)?.resources).toEqual([{ name: 'pods', kind: '' }]);
  });

  it('SEC-2: a condition names some of the APIs that the member could not discover', async () => {
    const stale = Array.from({ length: 10_000 }, (_, index) => `${index}${'x'.repeat(1_000)}/v1`);
    const { message = '' } = (await condition({ ...apis, stale })) ?? {};
    expect(message.length).toBeLessThan(4_000);
    expect(message).toContain('and 9990 more');
  });
});

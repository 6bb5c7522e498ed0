import { setImmediate } from 'node:timers';
import { describe, expect, it } from 'vitest';
import { type Answer, FakeUpstream, replyOf } from '../testing/fake-upstream.ts';
import { readSummaries } from './resource-summary.ts';

const list = (items: readonly unknown[], next = '') =>
  replyOf(200, { kind: 'List', metadata: { continue: next }, items });

const names = (count: number, prefix = 'example.com/') =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, '1']));

const node = (allocatable: unknown) => ({ status: { allocatable } });

const pod = (...requests: unknown[]) => ({
  spec: { containers: requests.map((one) => ({ resources: { requests: one } })) },
});

const signal = new AbortController().signal;

const read = (answer: Answer, limits?: Parameters<typeof readSummaries>[2]) => {
  const upstream: FakeUpstream = new FakeUpstream((call) => {
    if (upstream.calls.length > 1_000) throw new Error('asked without end');
    return answer(call);
  });
  return { upstream, summary: readSummaries(upstream, signal, limits) };
};

const summaryOf = ({ nodes = [], pods = [] }: { nodes?: unknown[]; pods?: unknown[] }) =>
  read(({ path }) => list(path.startsWith('/api/v1/nodes') ? nodes : pods)).summary;

describe('SEC-2: what a member counts as its resources is bounded', () => {
  it('the first 256 names, where each node has names of its own', async () => {
    const own = Array.from({ length: 10 }, (_, index) => node({ cpu: '1', ...names(30, `d${index}.example.com/`) }));
    const { nodeSummary, resourceSummary } = await summaryOf({ nodes: own });
    expect(nodeSummary.totalNum).toBe(10);
    expect(Object.keys(resourceSummary.allocatable ?? {})).toHaveLength(256);
    expect(resourceSummary.allocatable?.['cpu']).toBe('10');
  });

  it('as many names as any cluster has', async () => {
    const { resourceSummary } = await summaryOf({ nodes: [node(names(256))], pods: [pod(names(256), names(256))] });
    expect(Object.keys(resourceSummary.allocatable)).toHaveLength(256);
    expect(resourceSummary.allocating).toMatchObject({ 'example.com/255': '2' });
  });

  it.each([
    ['names in one node', { nodes: [node(names(257))] }],
    ['containers in one pod', { pods: [{ spec: { containers: new Array(1_001).fill({}) } }] }],
    ['characters in a name', { nodes: [node({ ['x'.repeat(318)]: '1' })] }],
    ['of one resource', { nodes: [node({ cpu: '1e28' })] }],
    ['of one resource in all nodes', { nodes: [node({ cpu: '6e26' }), node({ cpu: '6e26' })] }],
    ['bytes in one object', { nodes: [{ metadata: { annotations: { a: 'x'.repeat(2 ** 21) } } }] }],
    ['conditions', { nodes: [{ status: { conditions: new Array(10_000).fill({ type: 'Ready' }) } }] }],
  ])('too many %s are garbage', async (_, objects) => {
    await expect(summaryOf(objects)).rejects.toThrow();
  });

  it.each([['["cpu"]'], ['"cpu"'], ['7']])('a resource list that is none: %s', async (allocatable) => {
    await expect(summaryOf({ nodes: [node(JSON.parse(allocatable))] })).rejects.toThrow('not an object');
  });

  it('what is not counted may be anything', async () => {
    const { nodeSummary } = await summaryOf({
      nodes: [{ ...node({ cpu: '1' }), metadata: names(2_000) }, node(null), { status: null }, {}],
      pods: [{ spec: null }, { spec: { containers: null, overhead: null, resources: {} }, metadata: names(2_000) }],
    });
    expect(nodeSummary).toEqual({ totalNum: 4, readyNum: 0 });
  });

  it('a list without end is dropped', async () => {
    const limits = { pages: 20, objects: 100, bytes: 1_000_000 };
    const endless = (items: unknown[]) => read(() => list(items, 'more'), limits);
    const pages = endless([]);
    await expect(pages.summary).rejects.toThrow('more than 20 pages');
    expect(pages.upstream.calls).toHaveLength(20);
    await expect(endless(new Array(40).fill(node({}))).summary).rejects.toThrow('more than 100 objects');
    await expect(endless([{ a: 'x'.repeat(300_000) }]).summary).rejects.toThrow('more than 1000000 bytes');
    const token = read(() => list([], 'x'.repeat(10_000)), limits);
    await expect(token.summary).rejects.toThrow('continue token');
    expect(token.upstream.calls).toHaveLength(1);
  });

  it('a cluster of 5,000 nodes and 150,000 pods fits', async () => {
    const page = (one: unknown) => JSON.stringify([one, ...new Array(499).fill({})]).slice(1, -1);
    const [nodes, pods] = [page(node({ cpu: '4', memory: '8Gi' })), page(pod({ cpu: '100m' }, { cpu: '50m' }))];
    const { summary } = read(({ path }) => {
      const isNode = path.startsWith('/api/v1/nodes');
      const at = Number(/continue=(\d+)/.exec(path)?.[1] ?? 0) + 500;
      const next = at < (isNode ? 5_000 : 150_000) ? String(at) : '';
      return replyOf(200, `{"kind":"List","metadata":{"continue":"${next}"},"items":[${isNode ? nodes : pods}]}`);
    });
    expect(await summary).toEqual({
      nodeSummary: { totalNum: 5_000, readyNum: 0 },
      resourceSummary: {
        allocatable: { cpu: '40', memory: '80Gi' },
        allocating: { cpu: '45', pods: '150000' },
        allocated: {},
      },
    });
  });
});

it('LIMIT-3: the event loop turns while a page is counted', async () => {
  const page = list(new Array(20_000).fill(pod({ cpu: '100m', memory: '64Mi' }, { cpu: '1' })));
  const { summary } = read(({ path }) => (path.startsWith('/api/v1/nodes') ? list([]) : page));
  let turns = 0;
  let over = false;
  const turn = () => {
    turns++;
    if (!over) setImmediate(turn);
  };
  turn();
  await summary;
  over = true;
  expect(turns).toBeGreaterThan(5);
});

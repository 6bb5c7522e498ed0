import type { ResourceDiscovery } from '@fleet/kube/discovery.ts';
import { describe, expect, it } from 'vitest';
import { Discovery, type Served } from '../discovery/discovery.ts';
import { FakeUpstream, replyOf } from '../testing/fake-upstream.ts';
import { silentLog } from '../testing/silent-log.ts';
import { shownApis } from './shown-apis.ts';
import { type SelectedResources, wantsOf } from './wants.ts';

const resource = (name: string, kind: string): ResourceDiscovery => ({
  resource: name,
  responseKind: { kind },
  scope: 'Namespaced',
  singularResource: '',
  verbs: ['list'],
});
const group = (name: string, ...resources: ResourceDiscovery[]) => ({
  metadata: { name },
  versions: [{ version: 'v1', resources }],
});
const list = (...items: ReturnType<typeof group>[]) => ({ kind: 'APIGroupDiscoveryList', items });

const serving = (core: ReturnType<typeof list>, groups: ReturnType<typeof list>, paths: string[]) =>
  new FakeUpstream(({ path }) => {
    if (path === '/version') return replyOf(200, { gitVersion: 'v1.36.3' });
    const index = Object.fromEntries(paths.map((one) => [one, { serverRelativeURL: `/openapi/v3/${one}?hash=A` }]));
    if (path === '/openapi/v3') return replyOf(200, { paths: index });
    return replyOf(200, path === '/api' ? core : groups);
  });

const controlPlane = serving(
  list(group('', resource('secrets', 'Secret'))),
  list(group('search.karmada.io', resource('resourceregistries', 'ResourceRegistry'))),
  ['api/v1', 'apis/search.karmada.io/v1'],
);
const member = serving(
  list(group('', resource('pods', 'Pod'), resource('nodes', 'Node'))),
  list(group('example.dev', resource('widgets', 'Widget')), group('apps', resource('deployments', 'Deployment'))),
  ['api/v1', 'apis/example.dev/v1', 'apis/apps/v1'],
);

const shownIn = ({ core, groups }: Served) =>
  [...core.items, ...groups.items].flatMap(({ metadata, versions = [] }) =>
    versions.flatMap(({ resources = [] }) => resources.map((one) => `${metadata.name}/${one.resource}`)),
  );

describe('CACHE-10: discovery and OpenAPI are the control plane’s plus what is registered', () => {
  it('as it is registered now', async () => {
    let selected: SelectedResources | undefined;
    const places = [
      { name: 'karmada', upstream: controlPlane, owns: (name: string) => name === 'search.karmada.io' },
      { name: 'm1', upstream: member, registered: shownApis(() => selected) },
    ];
    const discovery = new Discovery(() => places, silentLog().log);
    const paths = async () => (await discovery.contributors('aggregation')).map(({ index }) => [...index.keys()]);
    expect(shownIn(await discovery.union('aggregation'))).toEqual(['/secrets', 'search.karmada.io/resourceregistries']);
    expect(await paths()).toEqual([['api/v1', 'apis/search.karmada.io/v1']]);

    const selectors = [
      { apiVersion: 'v1', kind: 'Pod' },
      { apiVersion: 'example.dev/v1', kind: '*' },
    ];
    const target = { name: 'm1', labels: new Map(), zones: [], served: discovery.servedBy('m1') };
    const registry = { metadata: { name: 'r' }, spec: { resourceSelectors: selectors } };
    selected = wantsOf([registry], [target]).get('m1');
    const union = await discovery.union('aggregation');
    expect(shownIn(union).sort()).toEqual([
      '/pods',
      '/secrets',
      'example.dev/widgets',
      'search.karmada.io/resourceregistries',
    ]);
    expect((await paths())[1]).toEqual(['api/v1', 'apis/example.dev/v1']);
    // The same as long as nothing changes, so that answers are made once.
    expect(await discovery.union('aggregation')).toBe(union);
    expect(shownIn(await discovery.union('fleet'))).toContain('/nodes');
  });
});

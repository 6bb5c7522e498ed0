/** The aggregation proxy proposal's two comparisons: what it wants of a cache, row by row, and of the proxy's place. */

import { until } from '@fleet/bed/until.ts';
import { describe, expect, test } from 'vitest';
import { apply, binding, role } from '../rbac.ts';
import { watchMember } from '../seen.ts';
import { entriesOf, Watching } from '../watching.ts';
import {
  endpoint,
  mergePatch,
  names,
  namesIn,
  parsed,
  pods,
  registry,
  type Scene,
  type Shown,
  type ShownList,
} from './scene.ts';

const list = `${endpoint}/api/v1/pods`;

export function describeTables(scene: () => Scene): void {
  const listed = async (query: string) => {
    const { code, body } = await scene().product.api.ask(`${list}?${query}`);
    return { code, list: JSON.parse(body) as ShownList };
  };
  /** What the members themselves have, one after the other. */
  const direct = async (query: string) => {
    const { members } = scene();
    const lists = names.map((name) => members[name].api.object<ShownList>(`/api/v1/pods?${query}`));
    return (await Promise.all(lists)).flatMap(namesIn);
  };
  const change = (name: string) =>
    scene().members.cluster1.api.object<Shown>(`${pods}/${name}`, {
      method: 'PATCH',
      contentType: mergePatch,
      body: { metadata: { annotations: { row: `${Date.now()}` } } },
    });
  const annotated = ({ items }: ShownList, name: string) =>
    items.find(({ metadata }) => metadata.name === name)?.metadata.annotations?.['row'];

  describe('Cacher V.S. Informer', () => {
    test('CACHE-5: "how to sync from datasource": "List/Watch", with the product’s own credential', async () => {
      const { members, controlPlane } = scene();
      const seen = await watchMember(members.cluster2);
      await apply(controlPlane, registry(['cluster1']));
      await until('it is not cached', async () => !namesIn((await listed('')).list).includes('nginx-3'));
      await apply(controlPlane, registry());
      const has = async () => namesIn((await listed('resourceVersion=0')).list).includes('nginx-3');
      await until('it is cached again', has);
      const isWatched = async () =>
        (await seen()).some(({ verb, objectRef }) => verb === 'watch' && objectRef?.resource === 'pods');
      await until('it is watched', isWatched);
      const own = (await seen()).filter(
        ({ impersonatedUser, objectRef }) => !impersonatedUser && objectRef?.resource === 'pods',
      );
      const asked = own.filter(({ user }) => user.startsWith('system:serviceaccount:fleet'));
      expect(asked.map(({ verb, code }) => `${verb} ${code}`)).toEqual(
        expect.arrayContaining(['list 200', 'watch 200']),
      );
    });

    test('RV-6: "Get/List with resourceVersion": "support semantics of resourceVersion"', async () => {
      const { metadata } = await change('nginx-1');
      const { list: latest } = await listed('');
      const map = latest.metadata.resourceVersion;
      // Not older than what was seen, and the cache as it is.
      const again = await listed(`resourceVersion=${map}`);
      expect(annotated(again.list, 'nginx-1')).toBe(metadata.annotations?.['row']);
      expect(namesIn((await listed('resourceVersion=0')).list)).toEqual(await direct(''));
      const got = parsed(await scene().product.api.ask(`${endpoint}${pods}/nginx-1?resourceVersion=${map}`));
      expect(got.metadata.annotations?.['row']).toBe(metadata.annotations?.['row']);
    });

    test('RV-6: "List with resourceVersionMatch": Exact is the past, NotOlderThan the present', async () => {
      const { list: before } = await listed('');
      const map = before.metadata.resourceVersion;
      const { metadata } = await change('nginx-2');
      const exact = await listed(`resourceVersion=${map}&resourceVersionMatch=Exact`);
      expect(exact.code).toBe(200);
      expect(exact.list.metadata.resourceVersion).toBe(map);
      expect(annotated(exact.list, 'nginx-2')).toBe(annotated(before, 'nginx-2'));
      const now = { ...entriesOf(map), cluster1: metadata.resourceVersion };
      const version = Buffer.from(JSON.stringify(now)).toString('base64url');
      const { list: after } = await listed(`resourceVersion=${version}&resourceVersionMatch=NotOlderThan`);
      expect(annotated(after, 'nginx-2')).toBe(metadata.annotations?.['row']);
      expect((await listed('resourceVersionMatch=Exact')).code).toBe(422);
    });

    test.each([
      ['List with labelSelector', 'labelSelector=app%3Dnginx'],
      ['List with labelSelector', 'labelSelector=app+in+(nginx,foo),!nothing'],
      ['List with filedSelector', 'fieldSelector=spec.nodeName%3Dcluster2-node-1'],
      ['List with filedSelector', 'fieldSelector=status.phase%3DRunning,metadata.name%21%3Dnginx-3'],
      ['List with filedSelector', 'fieldSelector=metadata.name%3Dnginx-4'],
    ])('CACHE-14: "%s": `%s` is what the members answer', async (_, query) => {
      const expected = await direct(query);
      expect(expected.length).toBeGreaterThan(0);
      for (const version of ['', '&resourceVersion=0', '&consistent=true']) {
        expect(namesIn((await listed(query + version)).list)).toEqual(expected);
      }
    });

    test('WATCH-2: "watch/ watch with allowWatchBookmarks": a bookmark has the position behind the event', async () => {
      const { product } = scene();
      const { list: before } = await listed('labelSelector=app%3Dnginx');
      const query = `labelSelector=app%3Dnginx&watch=true&resourceVersion=${before.metadata.resourceVersion}`;
      const [plain, marked] = await Promise.all(
        [query, `${query}&allowWatchBookmarks=true`].map((one) => Watching.open(product, `${list}?${one}`)),
      );
      const { metadata } = await change('nginx-1');
      await marked!.until('a bookmark follows', ({ bookmarks }) => bookmarks.length > 0);
      await plain!.until('the event comes', ({ events }) => events.length === 1);
      expect([plain!.received, marked!.received]).toEqual([['MODIFIED nginx-1'], ['MODIFIED nginx-1']]);
      expect(plain!.bookmarks).toEqual([]);
      const [bookmark] = marked!.bookmarks;
      expect(bookmark?.object).toMatchObject({ kind: 'Pod', apiVersion: 'v1' });
      expect(entriesOf(bookmark?.object.metadata?.resourceVersion)['cluster1']).toBe(metadata.resourceVersion);
      for (const one of [plain!, marked!]) one.close();
    });
  });

  describe('Placement for proxy', () => {
    test('"url can be the same as kubernetes api server": a kubeconfig with the endpoint as its server is all that kubectl needs', async () => {
      const { product } = scene();
      const kubeconfig = await product.userKubeconfig('fleet:admin', ['system:masters'], endpoint);
      const { code, stdout } = await product.kubectl({ kubeconfig }, 'api-resources', '-o', 'name');
      expect(code).toBe(0);
      for (const kind of ['pods', 'widgets.example.fleet', 'resourceregistries.search.karmada.io']) {
        expect(stdout.split('\n')).toContain(kind);
      }
    });

    test('"supported Authentication strategies": X509 Client Certs, Service Account Token', async () => {
      const { product, controlPlane, members } = scene();
      const may = { apiGroups: ['search.karmada.io'], resources: ['proxying/proxy'], verbs: ['*'] };
      await apply(
        controlPlane,
        role('proxying', may),
        binding('proxying-paas', 'proxying', { kind: 'User', name: 'paas' }),
        binding('proxying-robot', 'proxying', { kind: 'User', name: 'system:serviceaccount:default:robot' }),
        { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot', namespace: 'default' } },
      );
      const view = (name: string, user: string) => binding(name, 'view', { kind: 'User', name: user });
      await apply(members.cluster2, view('paas', 'paas'), view('robot', 'fleet:serviceaccount:default:robot'));
      const { stdout: token } = await controlPlane.kubectl('create', 'token', 'robot');
      const kubeconfigs = [await product.userKubeconfig('paas'), await product.tokenKubeconfig(token.trim())];
      for (const kubeconfig of kubeconfigs) {
        const get = ['get', 'pods', '-l', 'app=nginx', '-o', 'name'];
        const { stdout } = await product.kubectl({ kubeconfig, at: endpoint }, ...get);
        expect(stdout).toBe('pod/nginx-3\npod/nginx-4\n');
      }
    });
  });

  describe('Authorization', () => {
    const rule = (verbs: string[]) => ({ apiGroups: ['search.karmada.io'], resources: ['proxying/proxy'], verbs });

    test('AUTHZ-2, AUTHZ-3: "Limit requests access by verb, apiGroup, resource"; here also "accessing pods in some clusters"', async () => {
      const { product, controlPlane, members } = scene();
      await apply(
        controlPlane,
        role('getting', rule(['get'])),
        binding('getting', 'getting', { kind: 'User', name: 'gina' }),
      );
      const reads = { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'delete'] };
      await apply(members.cluster1, role('pods', reads), binding('pods', 'pods', { kind: 'User', name: 'gina' }));
      const kubeconfig = await product.userKubeconfig('gina');
      const gina = (...args: string[]) => product.kubectl({ kubeconfig, at: endpoint }, ...args);
      // Of cluster2 she sees nothing: there nobody has granted her anything.
      expect((await gina('get', 'pods', '-l', 'app=nginx', '-o', 'name')).stdout).toBe('pod/nginx-1\npod/nginx-2\n');
      expect((await gina('get', 'pod', 'nginx-3')).stderr).toContain('pods "nginx-3" not found');
      // The verb, by the endpoint; the group and the resource, by the member.
      expect((await gina('delete', 'pod', 'nginx-1')).stderr).toContain('cannot delete resource "proxying/proxy"');
      expect((await gina('get', 'nodes')).stderr).toContain('cannot list resource "nodes"');
      expect((await gina('get', 'widgets')).stderr).toContain(
        'cannot list resource "widgets" in API group "example.fleet"',
      );
    });
  });
}

/** The aggregation proxy proposal's goals, risks and caveats: which resources, with which verbs, for whom. */

import { until } from '@fleet/bed/until.ts';
import { describe, expect, test } from 'vitest';
import { apply, binding, role } from '../rbac.ts';
import { Watching } from '../watching.ts';
import { goals, widget } from './objects.ts';
import {
  endpoint,
  mergePatch,
  names,
  parsed,
  placesIn,
  type Scene,
  type Shown,
  type ShownList,
  witnessed,
} from './scene.ts';

const container = { name: 'a', image: 'a:1' };
const selector = { matchLabels: { app: 'goal' } };
const metadata = { labels: selector.matchLabels };
const template = { metadata, spec: { restartPolicy: 'Never', containers: [container] } };
const deployed = { ...template, spec: { containers: [container] } };

const controlPlaneKinds = [
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    plural: 'deployments',
    more: { spec: { selector, template: deployed } },
  },
  { apiVersion: 'batch/v1', kind: 'Job', plural: 'jobs', more: { spec: { template } } },
];

export function describeGoals(scene: () => Scene): void {
  describe('Goals', () => {
    test.each(controlPlaneKinds)(
      'CACHE-10: "All resources in controller panel, such as deployments, jobs": $plural',
      async ({ apiVersion, kind, plural, more }) => {
        const { product, controlPlane, members } = scene();
        const at = endpoint;
        const kubectl = async (...args: (string | { stdin: string })[]) => {
          const { code, stdout, stderr } = await product.kubectl({ at }, ...args);
          expect({ code, stderr }, args.join(' ')).toEqual({ code: 0, stderr: '' });
          return stdout;
        };
        const object = { apiVersion, kind, metadata: { name: 'own', labels: metadata.labels }, ...more };
        await kubectl('create', '-f', '-', { stdin: JSON.stringify(object) });
        await kubectl('label', plural, 'own', 'colour=red');
        const shown = JSON.parse(await kubectl('get', plural, 'own', '-o', 'json')) as Shown;
        const { stdout } = await controlPlane.kubectl('get', plural, 'own', '-o', 'json');
        expect(JSON.parse(stdout)).toMatchObject({
          metadata: { uid: shown.metadata.uid, labels: { colour: 'red' } },
        });
        expect(shown.metadata.resourceVersion).toMatch(/^\d+$/);
        for (const name of names) expect((await members[name].kubectl('get', plural, 'own')).code).toBe(1);
        expect(await kubectl('get', plural, '-l', 'colour=red', '-o', 'name')).toMatch(/\/own\n$/);
        await kubectl('delete', plural, '-l', 'colour=red');
        expect((await controlPlane.kubectl('get', plural, 'own')).stderr).toContain('(NotFound)');
      },
    );

    test.each(goals)(
      'CACHE-8: "Pods/nodes/events/endpointslices in member clusters. Supporting all the request behaviors but `create`": $resource',
      async ({ resource, collection, make }) => {
        const { product, members } = scene();
        const url = `${endpoint}${collection}`;
        const one = `${url}/goal`;
        await using watching = closing(await Watching.open(product, `${url}?watch=true&labelSelector=app%3Dgoal`));
        await members.cluster2.api.object(collection, { method: 'POST', body: make('goal') });
        await watching.until('its event comes', ({ received }) => received.includes('ADDED goal'));

        const refused = await witnessed(scene(), url, { method: 'POST', body: make('made') });
        expect(refused).toMatchObject({ answer: { code: 405 }, seen: { cluster1: [], cluster2: [] } });

        const list = parsed<ShownList>(await product.api.ask(`${url}?labelSelector=app%3Dgoal`));
        expect(placesIn(list)).toEqual(['goal cluster2']);
        const patch = { metadata: { labels: { patched: 'yes' } } };
        const patched = await witnessed(scene(), one, { method: 'PATCH', contentType: mergePatch, body: patch });
        expect(patched.answer.code).toBe(200);
        expect(writesIn(patched.seen.cluster2)).toEqual([`patch ${collection}/goal 200`]);
        expect(writesIn(patched.seen.cluster1)).toEqual([]);
        await until('it is replaced', async () => {
          const read = parsed(await product.api.ask(one));
          const body = { ...read, metadata: { ...read.metadata, labels: { ...read.metadata.labels, put: 'yes' } } };
          const { code } = await product.api.ask(one, { method: 'PUT', body });
          // Kubernetes' controllers write pods and nodes, too.
          if (code === 409) return false;
          expect(code).toBe(200);
          return true;
        });
        const stored = await members.cluster2.api.object<Shown>(`${collection}/goal`);
        expect(stored.metadata.labels).toMatchObject({ patched: 'yes', put: 'yes' });
        expect(JSON.stringify(stored)).not.toContain('karmada.io/cached-from');
        expect((await product.api.ask(one, { method: 'DELETE' })).code).toBe(200);
        await watching.until('its DELETED comes', ({ received }) => received.at(-1) === 'DELETED goal');
        expect(watching.events.every(({ object }) => object.metadata?.annotations)).toBe(true);
        await until(
          `${resource} are gone`,
          async () => (await members.cluster2.api.ask(`${collection}/goal`)).code === 404,
        );
      },
    );

    test('CACHE-13, CACHE-14: "Customer resources … limited supported": here fields and Tables are theirs, too', async () => {
      const { product, members } = scene();
      await apply(members.cluster1, widget('one', 'small'));
      await apply(members.cluster2, widget('two', 'large'));
      const get = async (...args: string[]) =>
        (await product.kubectl({ at: endpoint }, 'get', 'widgets', ...args)).stdout;
      await until('both are there', async () => (await get('-o', 'name')).split('\n').length === 3);
      expect(await get()).toMatch(/^NAME +SIZE +CLUSTER\none +small +cluster1\ntwo +large +cluster2\n$/);
      expect(await get('--field-selector', 'spec.size=large', '-o', 'name')).toBe('widget.example.fleet/two\n');
      expect(await get('--field-selector', 'metadata.name=one', '-o', 'name')).toBe('widget.example.fleet/one\n');
    });
  });

  describe('Risks and Mitigations', () => {
    test('IMP-3: "a user in the member cluster cannot access it …, they can still access the secret": here they cannot', async () => {
      const { product, members, controlPlane } = scene();
      const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'hidden', namespace: 'default' } };
      await apply(members.cluster1, { ...secret, stringData: { key: 'treasure' } });
      const list = `${endpoint}/api/v1/namespaces/default/secrets`;
      const isShown = async () =>
        parsed<ShownList>(await product.api.ask(`${list}?resourceVersion=0`)).items.length > 0;
      await until('it is cached', isShown);
      const rule = { apiGroups: ['search.karmada.io'], resources: ['proxying/proxy'], verbs: ['*'] };
      await apply(
        controlPlane,
        role('proxying', rule),
        binding('proxying-eve', 'proxying', { kind: 'User', name: 'eve' }),
      );
      const kubeconfig = await product.userKubeconfig('eve');
      const eve = (...args: string[]) => product.kubectl({ kubeconfig, at: endpoint }, ...args);
      const listed = await eve('get', 'secrets', '-o', 'json');
      expect(listed).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('User "eve" cannot list resource "secrets"'),
      });
      const named = await eve('get', 'secret', 'hidden', '-o', 'json');
      expect(named).toMatchObject({ code: 1, stderr: expect.stringContaining('secrets "hidden" not found') });
      expect(listed.stdout + named.stdout).not.toContain('hidden');
    });
  });
}

const writesIn = (lines: readonly string[]): string[] => lines.filter((line) => !line.startsWith('get '));

const closing = (watching: Watching): Watching & AsyncDisposable =>
  Object.assign(watching, { [Symbol.asyncDispose]: async () => watching.close() });

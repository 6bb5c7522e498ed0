/** The aggregation proxy proposal's request routing: its three examples by the URLs that it writes, and names that several clusters have. */

import { describe, expect, test } from 'vitest';
import { apply } from '../rbac.ts';
import {
  cachedFrom,
  parsed,
  placesIn,
  pod,
  pods,
  proxying,
  type Scene,
  type Shown,
  type ShownList,
  witnessed,
} from './scene.ts';

const all = ['nginx-1 cluster1', 'nginx-2 cluster1', 'nginx-3 cluster2', 'nginx-4 cluster2'];
const nowhere = { cluster1: [], cluster2: [] };

export function describeRouting(scene: () => Scene): void {
  describe('Request Routing', () => {
    test('"List pods": "Router will return the pod list from cache."', async () => {
      const url = `${proxying}/api/v1/namespaces/default/pods?labelSelector=app%3Dnginx`;
      expect(placesIn(parsed<ShownList>(await scene().product.api.ask(url)))).toEqual(all);
      // Members have allowed the admin: now nothing but the cache is asked.
      const { answer, seen } = await witnessed(scene(), `${url}&resourceVersion=0`);
      expect(placesIn(parsed<ShownList>(answer))).toEqual(all);
      expect(seen).toEqual(nowhere);
    });

    test('"Update pod": "finding it in cluster1, then redirects `PUT /api/v1/namespaces/default/pods/foo` to cluster1"', async () => {
      const { members, product } = scene();
      await apply(members.cluster1, pod('foo'));
      const url = `${proxying}/api/v1/namespaces/default/pods/foo`;
      for (;;) {
        const { metadata, ...rest } = parsed(await product.api.ask(url));
        const body = { ...rest, metadata: { ...metadata, labels: { put: 'yes' } } };
        const { answer, seen } = await witnessed(scene(), url, { method: 'PUT', body });
        const put = [...seen.cluster1, ...seen.cluster2].filter((line) => line.startsWith('update '));
        expect(put).toEqual([`update ${pods}/foo ${answer.code}`]);
        expect(seen.cluster2.filter((line) => !/^get /.test(line))).toEqual([]);
        // Its kubelet, too, writes it while it starts.
        if (answer.code !== 409) {
          expect(answer.code).toBe(200);
          break;
        }
      }
      const stored = await members.cluster1.api.object<Shown>(`${pods}/foo`);
      expect(stored.metadata).toMatchObject({ labels: { put: 'yes' } });
      expect(stored.metadata.annotations ?? {}).not.toHaveProperty([cachedFrom]);
    });

    test('"Log pod": "redirects `GET /api/v1/namespaces/default/pods/foo/log?container=bar` to cluster1"', async () => {
      const { answer, seen } = await witnessed(
        scene(),
        `${proxying}/api/v1/namespaces/default/pods/nginx-2/log?container=bar`,
      );
      expect(answer).toMatchObject({ code: 200, body: expect.stringMatching(/^bar line 1\n/) });
      const log = `get ${pods}/nginx-2/log?container=bar 200`;
      // A stream has a line when it begins and another when it ends.
      expect(new Set(seen.cluster1.filter((line) => line.includes('/log')))).toEqual(new Set([log]));
      expect(seen.cluster2.filter((line) => line.includes('/log'))).toEqual([]);
    });

    test('"Others: Redirect the request to Karmada api-server."', async () => {
      const { answer, seen } = await witnessed(scene(), `${proxying}/apis/cluster.karmada.io/v1alpha1/clusters`);
      expect(parsed<ShownList>(answer).items.map(({ metadata }) => metadata.name)).toEqual(['cluster1', 'cluster2']);
      const namespaces = await witnessed(scene(), `${proxying}/api/v1/namespaces`);
      expect(namespaces.answer.body).toContain('"karmada-cluster"');
      expect([seen, namespaces.seen]).toEqual([nowhere, nowhere]);
    });
  });

  describe('Resource name conflicting across clusters', () => {
    test('CACHE-8: "proxy don\'t know which resource to request": the message of the 409 names each; lists have both', async () => {
      const { members, product } = scene();
      await Promise.all(Object.values(members).map((member) => apply(member, pod('same', { app: 'same' }))));
      const url = `${proxying}${pods}`;
      for (const method of ['GET', 'DELETE']) {
        const { answer, seen } = await witnessed(scene(), `${url}/same`, { method });
        expect(answer).toMatchObject({
          code: 409,
          body: expect.stringMatching(/\\"same\.clusterspace\.cluster1\\", \\"same\.clusterspace\.cluster2\\"/),
        });
        expect([...seen.cluster1, ...seen.cluster2].filter((line) => !line.startsWith('get '))).toEqual([]);
      }
      const list = parsed<ShownList>(await product.api.ask(`${url}?labelSelector=app%3Dsame&consistent=true`));
      expect(placesIn(list)).toEqual(['same cluster1', 'same cluster2']);
      const { answer, seen } = await witnessed(scene(), `${url}/same.clusterspace.cluster2?gracePeriodSeconds=0`, {
        method: 'DELETE',
      });
      expect(answer.code).toBe(200);
      expect(seen).toEqual({ cluster1: [], cluster2: [`delete ${pods}/same?gracePeriodSeconds=0 200`] });
    });
  });
}

/** kubectl on one watch over all clusters, through cuts and restarts of a member and of the product (WATCH-4 to WATCH-6). */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCached } from '@fleet/bed/cached/everything.ts';
import type { Kubectl } from '@fleet/bed/kubectl.ts';
import { type Product, startProduct } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ConfigMaps, configMaps } from '../config-maps.ts';
import type { Fleet } from '../fleet.ts';

const timeout = 90_000;
const star = '/apis/cluster.karmada.io/v1alpha1/clusters/*/proxy';

let fleet: Fleet<'member1' | 'member2'>;
let written: ConfigMaps<'member1' | 'member2'>;
let product: Product;

export function watchesByKubectl(running: () => typeof fleet): void {
  beforeAll(() => {
    fleet = running();
    product = fleet.product;
    written = new ConfigMaps(fleet.members);
  });

  describe('kubectl', () => {
    const started: Kubectl[] = [];
    afterEach(() => {
      for (const one of started.splice(0)) one.kill();
    });
    const startAt = (at: string, ...args: string[]) => {
      const kubectl = product.startKubectl({ at }, ...args);
      started.push(kubectl);
      let heard = '';
      let words = '';
      kubectl.stdout.on('data', (data) => {
        heard += data;
      });
      kubectl.stderr.on('data', (data) => {
        words += data;
      });
      /** Until it has printed this. Fails with all that it has printed. */
      const prints = (what: string, text: string) =>
        until(what, () => heard.includes(text)).catch((cause: unknown) => {
          const state = `exit code ${kubectl.exitCode}\nstdout:\n${heard}\nstderr:\n${words}`;
          throw new Error(`kubectl did not print ${text}: ${state}`, { cause });
        });
      return { kubectl, heard: () => heard, words: () => words, prints };
    };
    const start = (...args: string[]) => startAt('', ...args);

    test('get -w shows what happens in every member, through a cut to one', { timeout }, async () => {
      const { heard, prints } = start('get', 'configmaps', '-n', 'default', '-w', '--no-headers');
      await prints('the list', 'kube-root-ca.crt');
      await written.put('member1', 'before');
      await prints('an event', 'before.clusterspace.member1');
      await fleet.members.member1.faults.proxy.refuse();
      await written.put('member2', 'meanwhile');
      await prints('the other goes on', 'meanwhile.clusterspace.member2');
      await written.put('member1', 'unseen');
      await fleet.members.member1.faults.proxy.heal();
      await prints('what happened behind the cut', 'unseen.clusterspace.member1');
      expect(heard().match(/before\.clusterspace\.member1/g)).toHaveLength(1);
      for (const name of ['before', 'unseen']) await written.remove('member1', name);
      await written.remove('member2', 'meanwhile');
    });

    test('get -w ends when a member has lost its history in a restart, as it does directly', {
      timeout,
    }, async () => {
      const { kubectl, heard, prints } = start('get', 'configmaps', '-n', 'default', '-w', '--no-headers');
      await until('the list', () => heard().includes('kube-root-ca.crt'));
      await written.moveOn('member1');
      await fleet.members.member1.faults.forget();
      if (!isCached) return until('the end', () => kubectl.exitCode !== null);
      // The cache still has what the member has forgotten, and lists it again: who watches the cache notices nothing.
      await written.put('member1', 'remembered');
      await prints('what comes then', 'remembered.clusterspace.member1');
      expect(kubectl.exitCode).toBeNull();
      await written.remove('member1', 'remembered');
    });

    test('wait goes on through a restart of the member and of the product', { timeout: 150_000 }, async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'fleet-restarted-'));
      let restarted = await startProduct({ controlPlane: fleet.controlPlane, dataDir });
      try {
        await written.put('member1', 'awaited');
        // Of the other product: what a product started ends with it.
        const kubectl = product.startKubectl(
          { kubeconfig: restarted.adminKubeconfig },
          ...['wait', '--for=jsonpath={.data.done}=yes', 'configmap/awaited.clusterspace.member1'],
          ...['-n', 'default', '--timeout=100s'],
        );
        started.push(kubectl);
        const asked = () => readFile(fleet.members.member1.auditLog, 'utf8');
        await until('it watches', async () =>
          /watch=true[^\n]*metadata.name%3Dawaited|metadata.name%3Dawaited[^\n]*watch=true/.test(await asked()),
        );
        await fleet.members.member1.faults.kill();
        await fleet.members.member1.faults.start();
        const listen = restarted.server.replace('https://', '');
        await restarted[Symbol.asyncDispose]();
        restarted = await startProduct({ controlPlane: fleet.controlPlane, dataDir, listen });
        expect(kubectl.exitCode).toBeNull();
        await written.change('member1', 'awaited', { data: { done: 'yes' } });
        await until('kubectl has seen it', () => kubectl.exitCode !== null, { timeout: 80_000 });
        expect(kubectl.exitCode).toBe(0);
      } finally {
        await restarted[Symbol.asyncDispose]();
        await rm(dataDir, { recursive: true });
      }
      await written.remove('member1', 'awaited');
    });

    test('delete --wait comes back when the object is gone', { timeout }, async () => {
      await written.put('member2', 'going');
      await written.change('member2', 'going', { metadata: { finalizers: ['test.example.com/hold'] } });
      const { kubectl } = start('delete', 'configmap', 'going.clusterspace.member2', '-n', 'default', '--wait');
      const path = `${configMaps}/going`;
      await until(
        'it is being deleted',
        async () =>
          (await fleet.members.member2.api.object<{ metadata: { deletionTimestamp?: string } }>(path)).metadata
            .deletionTimestamp,
      );
      expect(kubectl.exitCode).toBeNull();
      await written.change('member2', 'going', { metadata: { finalizers: null } });
      await until('kubectl comes back', () => kubectl.exitCode !== null);
      expect(kubectl.exitCode).toBe(0);
    });

    test('the cluster proxy proposal: a named watch by clusters/*/proxy', { timeout }, async () => {
      await written.put('member1', 'coredns');
      const { kubectl, heard, words } = startAt(
        star,
        'get',
        'configmap',
        'coredns',
        '-n',
        'default',
        '--watch',
        '-o=yaml',
      );
      const described = (text: string) => `${text}; heard ${heard()}, ended ${kubectl.exitCode}, ${words()}`;
      await until(described('the object'), () => heard().includes('name: coredns'));
      // kubectl passes over what its watch begins with: only a change after that is shown.
      const changed = async () => {
        await written.change('member1', 'coredns', { data: { at: 'changed' } });
        await written.change('member1', 'coredns', { data: { at: 'again' } });
        return heard().includes('at: again');
      };
      await until(described('a change'), changed);
      await written.remove('member1', 'coredns');
    });
  });
}

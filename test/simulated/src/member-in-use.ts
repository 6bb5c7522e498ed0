/** A member in use, as kubectl uses it: a list, a write, a watch and an exec at its own endpoint. */

import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { until } from '@fleet/bed/until.ts';
import type { SimulatedCluster } from '@fleet/simulator/start-cluster.ts';
import { Exec, type V1Status, Watch } from '@kubernetes/client-node';
import { expect } from 'vitest';
import type { SimulatedFleet } from './fleet.ts';
import { requestAs } from './request.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';
const settled = { timeout: 30_000 };

/** Can be called again. */
export async function expectInUse(fleet: SimulatedFleet, { client }: SimulatedCluster, name: string): Promise<void> {
  const place = `/clusterspaces/${name}`;
  const [admin, config] = [await fleet.config(), await fleet.config(undefined, place)];
  await until(`${name} is served`, async () => (await requestAs(admin, `${place}/version`)).status === 200, settled);
  // More than one window of a channel.
  const large = `large-${Date.now()}`;
  const texts = Object.fromEntries(['a', 'b'].map((key) => [key, key.repeat(400_000)]));
  for (let at = 0; at < 4; at++) {
    const made = await requestAs(admin, `${place}${maps}`, {}, false, {
      metadata: { name: `${large}-${at}` },
      data: texts,
    });
    expect(made.status).toBe(201);
  }
  const { items } = (await requestAs(admin, `${place}${maps}`)).body as {
    items: { metadata: { name: string }; data?: object }[];
  };
  const made = items.filter(({ metadata }) => metadata.name.startsWith(large));
  expect(made.map(({ data }) => data)).toEqual([texts, texts, texts, texts]);

  const seen: string[] = [];
  const watching = await new Watch(config).watch(
    maps,
    {},
    (type, object: { metadata: { name: string } }) => void seen.push(`${type} ${object.metadata.name}`),
    () => {},
  );
  await until('the watch has begun', () => seen.includes(`ADDED ${large}-3`), settled);
  await client.delete(`${maps}/${large}-0`);
  await until('a deletion is watched', () => seen.includes(`DELETED ${large}-0`), settled);
  watching.abort();

  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web' },
    spec: { containers: [{ name: 'main', image: 'nginx' }] },
  };
  await client.patch(`${pods}/web?fieldManager=test`, 'apply', pod);
  await until('a pod runs', async () => {
    const { status } = await client.get<{ status?: { phase?: string } }>(`${pods}/web`);
    return status?.phase === 'Running';
  });
  const out = new PassThrough();
  const { promise: ended, resolve } = Promise.withResolvers<V1Status>();
  await new Exec(config).exec('default', 'web', 'main', ['hostname'], out, null, null, false, resolve);
  expect(await ended).toMatchObject({ status: 'Success' });
  expect(await text(out.end())).toBe('web\n');
}

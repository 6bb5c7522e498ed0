/**
 * A watch on which nothing happens for long still sends what happens then. It takes 20 s here, IDLE_WATCH_SECONDS
 * in `npm run test:long`: most parts between client and member that close silent connections do so within ten minutes.
 */

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { setTimeout as pass } from 'node:timers/promises';
import type { Product } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { openWitness } from '@fleet/bed/witness.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpointsOf, type Fleet, startFleet } from './fleet.ts';

const silence = Number(process.env['IDLE_WATCH_SECONDS'] ?? 20) * 1_000;
const timeout = silence + 60_000;

let fleet: Fleet<'member1'>;

beforeAll(async () => {
  fleet = await startFleet({ member1: { version: 'newest', nodes: 0 } });
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

const endpoints = endpointsOf('member1');
const watched = (name: string) => `fieldSelector=metadata.name=${name}`;

interface Watching {
  heard(): string;
  isOpen(): boolean;
  close(): void;
}

/** HTTP/2, with whatever Go's client does to keep a connection. */
function byKubectl(at: string, name: string): Watching {
  const kubectl = fleet.product.startKubectl(
    { at },
    ...['get', 'configmaps', '--watch', '-o=name', `--field-selector=metadata.name=${name}`],
  );
  let heard = '';
  kubectl.stdout.on('data', (data) => {
    heard += data;
  });
  return { heard: () => heard, isOpen: () => kubectl.exitCode === null, close: () => kubectl.kill() };
}

/** HTTP/1.1, where not one byte passes meanwhile. */
async function byHand(product: Product, at: string, name: string): Promise<Watching> {
  const { server, ca, admin } = product;
  const path = `${at}/api/v1/namespaces/default/configmaps?watch=true&${watched(name)}`;
  const asking = request(new URL(server + path), { agent: false, ca, ...admin });
  asking.end();
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  let heard = '';
  let open = true;
  response.on('data', (data) => {
    heard += data;
  });
  response.on('error', () => {});
  response.on('close', () => {
    open = false;
  });
  return { heard: () => heard, isOpen: () => open, close: () => asking.destroy() };
}

test(`an event after ${silence / 1_000} s of silence arrives through each endpoint`, { timeout }, async () => {
  const witness = await openWitness(fleet.members.member1.auditLog);
  const mark = witness.mark();
  const open = [
    ...endpoints.map((at) => byKubectl(at, 'late')),
    ...(await Promise.all(endpoints.map((at) => byHand(fleet.product, at, 'late')))),
  ];
  const isTheirs = ({ verb, requestURI }: { verb: string; requestURI: string }) =>
    verb === 'watch' && decodeURIComponent(requestURI).includes('metadata.name=late');
  expect(await witness.until(mark, isTheirs, open.length)).toHaveLength(open.length);

  await pass(silence);
  expect(open.map(({ heard }) => heard())).toEqual(open.map(() => ''));
  await fleet.members.member1.kubectl('create', 'configmap', 'late');
  await until('all have heard of it', () => open.every(({ heard }) => heard().includes('late')), { timeout: 5_000 });

  expect(open.map(({ isOpen }) => isOpen())).toEqual(open.map(() => true));
  // the same watches all the time: none ended and was opened again behind the client's back
  const seen = (await witness.since(mark)).filter(isTheirs);
  expect(seen.map(({ stage }) => stage)).toEqual(open.map(() => 'ResponseStarted'));
  for (const watching of open) watching.close();
});

test('negative control: a product that closes silent watches is noticed', async () => {
  await using impatient = await fleet.withMutant({
    file: 'client/src/https-upstream.ts',
    from: 'bodyTimeout: 0,',
    to: 'bodyTimeout: 5_000,',
  });
  const [patient, cut] = await Promise.all([fleet.product, impatient].map((one) => byHand(one, endpoints[0], 'never')));
  await until('it is cut', () => !cut!.isOpen(), { timeout: 20_000 });
  expect(patient!.isOpen()).toBe(true);
  patient!.close();
});

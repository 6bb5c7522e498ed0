import { expect, it, vi } from 'vitest';
import { startCorruptingProxy } from './controls/corrupting-proxy.ts';
import { corruptions } from './controls/corruptions.ts';
import { FakeServer } from './controls/fake-server.ts';
import { configMap } from './kinds/core.ts';
import { runDifferential } from './run.ts';
import { parseTolerated } from './tolerance.ts';

// hundreds of requests each
vi.setConfig({ testTimeout: 20_000 });

const kinds = [configMap];

it('finds nothing between two servers that do the same', async () => {
  await using left = new FakeServer();
  await using right = new FakeServer();
  const sides = { left: { endpoint: await left.start() }, right: { endpoint: await right.start() } };
  const report = await runDifferential({ ...sides, seed: 1, count: 400, kinds });
  expect(report.differences).toEqual([]);
  expect(report.requests).toBeGreaterThanOrEqual(400);
  expect(report.watches).toBeGreaterThan(0);
  expect(report.events).toBeGreaterThan(report.watches);
});

it.each(Object.entries(corruptions))('finds %s', async (_, corruption) => {
  await using left = new FakeServer();
  await using right = new FakeServer();
  await using proxy = await startCorruptingProxy(await right.start(), corruption());
  const sides = { left: { endpoint: await left.start() }, right: { endpoint: proxy.endpoint } };
  const report = await runDifferential({ ...sides, seed: 1, count: 150, kinds });
  expect(report.differences.length).toBeGreaterThan(0);
});

it('finds nothing through the same proxy that spoils nothing', async () => {
  await using left = new FakeServer();
  await using right = new FakeServer();
  await using proxy = await startCorruptingProxy(await right.start(), () => undefined);
  const sides = { left: { endpoint: await left.start() }, right: { endpoint: proxy.endpoint } };
  const report = await runDifferential({ ...sides, seed: 1, count: 150, kinds });
  expect(report.differences).toEqual([]);
});

it('tolerates what is listed, and names what is listed and did not occur', async () => {
  await using left = new FakeServer();
  await using right = new FakeServer();
  await using proxy = await startCorruptingProxy(await right.start(), corruptions['another status code']!());
  const sides = { left: { endpoint: await left.start() }, right: { endpoint: proxy.endpoint } };
  const tolerated = parseTolerated(
    [
      '| suite | verb | resource | path | where | left | right | reason |',
      '|---|---|---|---|---|---|---|---|',
      '| s | create | configmaps | | status | 201 | 200 | a control |',
      '| s | list |  |  | header warning |  |  | never happens |',
    ].join('\n'),
  );
  const report = await runDifferential({ ...sides, seed: 1, count: 200, kinds, tolerated });
  expect(report.differences).toEqual([]);
  expect(report.tolerated).toHaveLength(1);
  expect(report.stale).toEqual([tolerated[1]]);
});

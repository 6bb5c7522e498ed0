import { describe, expect, it } from 'vitest';
import { completed } from '../testing/targets.ts';
import { strippedBody } from './stripped-body.ts';

const clusters = new Map([['m1', true]]);

/** As the gateway does it: a request's way to its target, and its body as the member is to see it. */
function read(method: string, url: string, body?: string, contentType = 'application/json'): Buffer | undefined {
  const raw = body === undefined ? undefined : { bytes: Buffer.from(body), contentType };
  const target = completed(method, url, raw, (name) => clusters.has(name));
  return target.body && strippedBody(target.body, { cluster: 'm1', versionOf: (text) => text }).bytes;
}

/** Of this thread's own work: others may keep the machine busy meanwhile. */
const milliseconds = (work: () => unknown): number => {
  const begun = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1000;
};

/** In milliseconds: much more than linear work takes, much less than quadratic work. */
const bearable = 1_500;

const list = '/api/v1/pods';
const configMaps = '/api/v1/namespaces/default/configmaps';
const name = 'x.clusterspace.m1';
const names = (count: number): string => Array.from({ length: count }, () => `"${name}"`).join(',');
const letters = (count: number): string => Array.from({ length: count }, (_, i) => `c${i}`).join(',');

describe('LIMIT-3: no text costs more than its length', () => {
  it.each([
    ['a field selector of space', `${list}?fieldSelector=${'+'.repeat(60_000)}x`],
    ['a label selector of space', `${list}?labelSelector=${'+'.repeat(60_000)}x`],
    ['SEC-3: a label selector with space in it', `${list}?labelSelector=a=${'+'.repeat(60_000)}!`],
    ['a selector of brackets', `${list}?labelSelector=${'('.repeat(60_000)}`],
    [
      'clusters chosen twice',
      `${list}?labelSelector=clusterspace+in+(${letters(9_000)}),clusterspace+in+(${letters(9_000)})`,
    ],
    ['sixty thousand parameters', `${list}?${'&'.repeat(60_000)}`],
    ['thirty thousand segments', `/api/v1/namespaces/a/pods/b/proxy${'/c'.repeat(30_000)}`],
    ['a name of suffixes', `${configMaps}/${'.clusterspace.'.repeat(4_000)}`],
  ])('%s', (_, url) => {
    expect(milliseconds(() => read('GET', url))).toBeLessThan(bearable);
  });

  it.each([
    ['names deep in lists', `${'['.repeat(9_000)}${names(20_000)}${']'.repeat(9_000)}`],
    ['names deep in objects', `${'{"a":'.repeat(9_000)}[${names(20_000)}]${'}'.repeat(9_000)}`],
    [
      'versions deep in objects',
      `${'{"a":'.repeat(9_000)}[${'{"resourceVersion":"5"},'.repeat(20_000)}0]${'}'.repeat(9_000)}`,
    ],
    [
      'SEC-3: versions under a long key',
      `{"${'a'.repeat(1_500_000)}":{${'"resourceVersion":"5",'.repeat(60_000)}"b":1}}`,
    ],
    ['a hundred thousand names', `{"spec":{"list":[${names(100_000)}]}}`],
    ['brackets', `{"clusterspace":${'['.repeat(2_000_000)}`],
  ])('%s in a body', (_, body) => {
    expect(milliseconds(() => read('PUT', `${configMaps}/${name}`, body))).toBeLessThan(bearable);
  });

  it('a long path in a JSON patch', () => {
    const patch = `[{"op":"add","path":"${'/a'.repeat(100_000)}","value":[${names(50_000)}]}]`;
    const work = () => read('PATCH', `${configMaps}/${name}`, patch, 'application/json-patch+json');
    expect(milliseconds(work)).toBeLessThan(bearable);
  });

  it('a derived name of dashes', () => {
    const body = JSON.stringify({ metadata: { name: `${name}${'-a'.repeat(1_000_000)}` } });
    expect(milliseconds(() => read('POST', configMaps, body))).toBeLessThan(bearable);
  });
});

describe('NAME-3: what is deep in a body', () => {
  const deep = (inner: string) => `${'{"a":'.repeat(500)}${inner}${'}'.repeat(500)}`;

  it('is stripped all the same, and the texts that are a user’s own are not', () => {
    const body = deep(`{"b":"${name}","data":{"c":["${name}"]},"env":[{"value":"${name}"}],"d":"${name}"}`);
    expect(read('PUT', `${configMaps}/${name}`, body)?.toString()).toBe(
      deep(`{"b":"x","data":{"c":["${name}"]},"env":[{"value":"${name}"}],"d":"x"}`),
    );
  });

  it('is stripped in a JSON patch by its long path', () => {
    const patch = (path: string, value: string) => `[{"op":"add","path":"${path}","value":${value}}]`;
    const strip = (path: string, value: string) =>
      read('PATCH', `${configMaps}/${name}`, patch(path, value), 'application/json-patch+json')?.toString();
    const long = '/a/b/c/d/e/f/g/h';
    expect(strip(long, `{"x":{"y":{"z":"${name}"}}}`)).toBe(patch(long, '{"x":{"y":{"z":"x"}}}'));
    expect(strip(`/data${long}`, `"${name}"`)).toBe(patch(`/data${long}`, `"${name}"`));
    expect(strip(long, `{"x":{"data":{"a":{"b":{"c":{"d":"${name}"}}}}}}`)).toContain(name);
    expect(strip(`${long}/env`, `[{"value":"${name}"}]`)).toContain(`"value":"${name}"`);
  });
});

import { expect, test } from 'vitest';
import { asText, type Need, tourOf } from './tour.ts';

test('kubectl is used only by those who have it', () => {
  const [without, withKubectl] = [
    tourOf({ hasKubectl: false, server: 'https://x' }),
    tourOf({ hasKubectl: true, server: 'https://x' }),
  ];
  expect(without.filter(({ line }) => line.includes('kubectl'))).toEqual([]);
  expect(without.length).toBeGreaterThan(5);
  expect(withKubectl.filter(({ line }) => line.startsWith('kubectl')).length).toBeGreaterThan(5);
});

test('it can be pasted: reasons are comments, and the server is that of this demo', () => {
  const lines = asText(tourOf({ hasKubectl: true, server: 'https://127.0.0.1:1' })).split('\n');
  expect(lines.filter((line) => line !== '' && !/^(# |fleet |kubectl )/.test(line))).toEqual([]);
  expect(lines.some((line) => line.includes('https://127.0.0.1:1/clusterspaces/tokyo'))).toBe(true);
});

test('what users of a kept demo changed is not promised again', () => {
  const lines = (...lost: Need[]) =>
    tourOf({ hasKubectl: true, server: 'https://x', lost: new Set(lost) }).map(({ line }) => line);
  expect(lines('outdated cart').filter((line) => line.includes('cart'))).toEqual([]);
  expect(lines('outdated cart').some((line) => line.startsWith('kubectl exec'))).toBe(true);
  expect(lines('shop', 'outdated cart').filter((line) => /deployment|orders-db/.test(line))).toEqual([]);
  expect(lines('members', 'shop', 'outdated cart')).toHaveLength(1);
});

test('with federation it is about one template, and its files are quoted', () => {
  const federation = '/tmp/a demo/federation';
  const [without, withKubectl] = [false, true].map((hasKubectl) =>
    tourOf({ hasKubectl, server: 'https://x', federation }),
  );
  expect(without!.filter(({ line }) => line.includes('kubectl'))).toEqual([]);
  expect(without!.map(({ line }) => line)).toContain("fleet schedule -f '/tmp/a demo/federation'/more.yaml --dry-run");
  expect(withKubectl!.length).toBeGreaterThan(without!.length);
  expect(withKubectl!.filter(({ line }) => line.includes('$'))).toEqual([]);
  const lost = new Set<Need>(['storefront']);
  expect(
    tourOf({ hasKubectl: true, server: 'https://x', federation, lost }).map(({ line }) => line),
  ).not.toContainEqual(expect.stringContaining('scale'));
});

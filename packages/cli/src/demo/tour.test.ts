import { expect, test } from 'vitest';
import { asText, type Need, tourOf } from './tour.ts';

test('kubectl is used only by those who have it', () => {
  const [without, withKubectl] = [tourOf(false, 'https://x'), tourOf(true, 'https://x')];
  expect(without.filter(({ line }) => line.includes('kubectl'))).toEqual([]);
  expect(without.length).toBeGreaterThan(5);
  expect(withKubectl.filter(({ line }) => line.startsWith('kubectl')).length).toBeGreaterThan(5);
});

test('it can be pasted: reasons are comments, and the server is that of this demo', () => {
  const lines = asText(tourOf(true, 'https://127.0.0.1:1')).split('\n');
  expect(lines.filter((line) => line !== '' && !/^(# |fleet |kubectl )/.test(line))).toEqual([]);
  expect(lines.some((line) => line.includes('https://127.0.0.1:1/clusterspaces/tokyo'))).toBe(true);
});

test('what users of a kept demo changed is not promised again', () => {
  const lines = (...lost: Need[]) => tourOf(true, 'https://x', new Set(lost)).map(({ line }) => line);
  expect(lines('outdated cart').filter((line) => line.includes('cart'))).toEqual([]);
  expect(lines('outdated cart').some((line) => line.startsWith('kubectl exec'))).toBe(true);
  expect(lines('shop', 'outdated cart').filter((line) => /deployment|orders-db/.test(line))).toEqual([]);
  expect(lines('members', 'shop', 'outdated cart')).toHaveLength(1);
});

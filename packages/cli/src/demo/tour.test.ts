import { expect, test } from 'vitest';
import { asText, tourOf } from './tour.ts';

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

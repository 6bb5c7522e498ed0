import { expect, it } from 'vitest';
import { humanDuration } from './human-duration.ts';

// What duration.HumanDuration of apimachinery v0.36.3 prints.
it.each([
  [-2_001, '<invalid>'],
  [-2_000, '<invalid>'],
  [-1_999, '0s'],
  [-1_000, '0s'],
  [-1, '0s'],
  [0, '0s'],
  [999, '0s'],
  [1_000, '1s'],
  [119_999, '119s'],
  [120_000, '2m'],
  [121_000, '2m1s'],
  [599_999, '9m59s'],
  [600_000, '10m'],
  [10_799_999, '179m'],
  [10_800_000, '3h'],
  [10_860_000, '3h1m'],
  [28_799_999, '7h59m'],
  [28_800_000, '8h'],
  [172_799_999, '47h'],
  [172_800_000, '2d'],
  [176_400_000, '2d1h'],
  [691_199_999, '7d23h'],
  [691_200_000, '8d'],
  [63_071_999_999, '729d'],
  [63_072_000_000, '2y'],
  [63_158_400_000, '2y1d'],
  [252_287_999_999, '7y364d'],
  [252_288_000_000, '8y'],
  [9_223_372_036_854, '292y'],
  [1e15, '292y'],
])('%i ms is %s, as kube-apiserver prints it', (milliseconds, text) => {
  expect(humanDuration(milliseconds)).toBe(text);
});

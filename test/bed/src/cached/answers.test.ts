import { expect, test } from 'vitest';
import { answersIn } from './answers.ts';

test('answers are counted of one cluster and of all, those of the cache and those of members', () => {
  const metrics = [
    '# TYPE fleet_cache_answers_total counter',
    'fleet_cache_answers_total{cluster="member1",by="cached"} 12',
    'fleet_cache_answers_total{cluster="member1",by="not-fresh"} 3',
    'fleet_cache_answers_total{cluster="member2",by="cached"} 5',
    'fleet_cache_answers_total{cluster="member2",by="version"} 1',
    'fleet_cache_objects 7',
  ].join('\n');
  expect(answersIn(metrics, 'member1')).toEqual({ cached: 12, live: 3 });
  expect(answersIn(metrics)).toEqual({ cached: 17, live: 4 });
});

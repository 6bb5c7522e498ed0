import { expect, it } from 'vitest';
import { revisionData } from './controller-revision.ts';

it('writes a template as Go does, whatever order it came in', () => {
  const spec = { terminationGracePeriodSeconds: 30, containers: [{ name: 'c', image: 'i' }] };
  expect(JSON.stringify(revisionData({ spec, metadata: { labels: { b: '1', a: '2' } } }))).toBe(
    '{"spec":{"template":{"$patch":"replace","metadata":{"labels":{"a":"2","b":"1"}},"spec":{"containers":[{"image":"i","name":"c"}],"terminationGracePeriodSeconds":30}}}}',
  );
});

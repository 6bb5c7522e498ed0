import { expect, test } from 'vitest';
import { pathOf, podPaths } from './controller-ref.ts';

test('a name is one segment of a path, whatever stands in it', () => {
  const path = pathOf(podPaths, { namespace: 'default' }, '../secrets/x?watch=true');
  expect(path).toBe('/api/v1/namespaces/default/pods/..%2Fsecrets%2Fx%3Fwatch%3Dtrue');
});

import { expect, it } from 'vitest';
import { imageBytes, imageId, imageReference, keepImage } from './image.ts';

it.each([
  ['nginx', 'docker.io/library/nginx:latest'],
  ['nginx:1.29', 'docker.io/library/nginx:1.29'],
  ['grafana/grafana', 'docker.io/grafana/grafana:latest'],
  ['registry.k8s.io/pause:3.10', 'registry.k8s.io/pause:3.10'],
  ['localhost:5000/a/b', 'localhost:5000/a/b:latest'],
  ['nginx@sha256:ab', 'docker.io/library/nginx@sha256:ab'],
  ['Nginx', undefined],
  ['nginx:', undefined],
  ['', undefined],
  ['a'.repeat(256), undefined],
  [`${'a.'.repeat(150)}b/c`, undefined],
  [`nginx@sha256:${'a'.repeat(200)}`, undefined],
])('%s is %s', (image, reference) => {
  expect(imageReference(image)).toBe(reference);
});

it('has an id and a size of its own', () => {
  expect(imageId('docker.io/library/nginx:1')).toMatch(/^docker\.io\/library\/nginx@sha256:[0-9a-f]{64}$/);
  expect(imageId('docker.io/library/nginx@sha256:ab')).toBe('docker.io/library/nginx@sha256:ab');
  expect(imageBytes('docker.io/library/nginx:1')).toBeGreaterThan(1_000_000);
});

it('does not stay on a node for ever', () => {
  const images = new Set<string>();
  for (let n = 0; n < 1500; n++) keepImage(images, `app:${n}`);
  expect([images.size, images.has('app:499'), images.has('app:500'), images.has('app:1499')]).toEqual([
    1000,
    false,
    true,
    true,
  ]);
});

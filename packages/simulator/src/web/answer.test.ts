import { expect, it } from 'vitest';
import type { Pod } from '../pods/pod.ts';
import { webAnswer } from './answer.ts';

const pod = (...images: string[]): Pod =>
  ({ metadata: { name: 'web', namespace: 'shop' }, spec: { containers: images.map((image) => ({ image })) } }) as Pod;

it.each(['text/plain', 'application/json'])(
  'LIMIT-2: an answer is not as long as the names of images, as %s',
  (accept) => {
    const request = { method: 'GET', path: '/', accept };
    expect(webAnswer(pod('nginx', 'redis'), 80, request).body).toContain('nginx, redis');
    expect(webAnswer(pod('nginx', 'a'.repeat(650_000)), 80, request).body.length).toBeLessThan(2_000);
  },
);

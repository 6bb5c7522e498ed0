import { describe, expect, it } from 'vitest';
import type { Call } from '../request.ts';
import { generateRoutes } from './generate.ts';

function some(seed: number, count: number): Call[] {
  return [0, 1, 2, 3].flatMap((lane) => [...generateRoutes(seed, lane).take(count / 4)]);
}

const asked = ({ request: { method, path } }: Call) => `${method} ${path}`;

describe('routes that Kubernetes does not have', () => {
  it('come from the seed alone', () => {
    expect(some(7, 400)).toEqual(some(7, 400));
    expect(some(7, 400)).not.toEqual(some(8, 400));
  });

  it.each([1, 2, 3, 4, 5])('SEC: seed %i reaches for other Namespaces below the permitted one', (seed) => {
    const calls = some(seed, 1_500).map(asked);
    for (const method of ['GET', 'DELETE'])
      expect(calls).toContainEqual(
        expect.stringMatching(
          new RegExp(
            `^${method} /api/v1/namespaces/@\\{scope\\}-open-\\d/namespaces/(kube-system|default|kube-public|@)`,
          ),
        ),
      );
  });

  it('mixes scopes, subresources, segments and methods, and leaves some requests as they should be', () => {
    const calls = some(3, 4_000);
    const flaws = new Set(calls.flatMap(({ flaw }) => flaw?.split(', ') ?? []));
    for (const flaw of [
      'cluster kind in a namespace',
      'no namespace',
      'subresource of another kind',
      'doubled segment',
    ])
      expect(flaws).toContain(flaw);
    const valid = calls.filter(({ intent }) => intent === 'valid').length;
    expect(valid / calls.length).toBeGreaterThan(0.1);
    expect(new Set(calls.map(({ request }) => request.method)).size).toBeGreaterThan(8);
  });

  it('never removes what the run itself stands on', () => {
    for (const { request } of some(5, 8_000)) {
      if (!['DELETE', 'PUT', 'PATCH', 'POST'].includes(request.method)) continue;
      const path = decodeURIComponent(request.path).replace(/\/+/g, '/').replace(/\/$/, '');
      if (/namespaces\/@\{scope\}-open-\d$/.test(path) || path.endsWith('/rolebindings'))
        expect(request.query, asked({ request } as Call)).toContainEqual(['dryRun', 'All']);
    }
  });

  it('asks for no watch that does not end', () => {
    for (const { request } of some(6, 8_000))
      if (/watch/i.test(request.path)) expect(request.query).toContainEqual(['timeoutSeconds', '1']);
  });
});

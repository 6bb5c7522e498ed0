import { validateHeaderValue } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { requestOf } from '../bad-input/generator.ts';

const requests = Array.from({ length: 5_000 }, (_, index) => requestOf('unit', index));

describe('the generator of bad input', () => {
  it('makes the same of the same seed, and another of another', () => {
    // Not by `toEqual`, which takes seconds over megabytes.
    expect(
      isDeepStrictEqual(
        requests.map(({ index }) => requestOf('unit', index)),
        requests,
      ),
    ).toBe(true);
    expect(requestOf('other', 0)).not.toEqual(requests[0]);
  });

  it('makes only what an HTTP client can send', () => {
    expect(requests.filter(({ target }) => !/^\/[\x21-\xff]*$/.test(target))).toEqual([]);
    for (const { headers } of requests) {
      for (const [name, value] of Object.entries(headers)) validateHeaderValue(name, value);
    }
  });

  it.each([
    ['vanilla', /^\/apis?\/(?!cluster\.karmada)[^?]*\?(?!.*clusterspace=)/],
    ['the prefix', /^\/clusterspaces\//],
    ['inside the path', /^\/api\/v1\/namespaces\/[^/]+\/clusterspaces\//],
    ['the query', /[?&]clusterspace=/],
    ['any member', /^\/apis\/cluster\.karmada\.io\/v1alpha1\/clusters\/(\*|%2A|%2a)\/proxy\//],
  ])('asks by %s', (_, pattern) => {
    expect(requests.filter(({ target }) => pattern.test(target)).length).toBeGreaterThan(300);
  });

  it.each(['json', 'yaml', 'protobuf', 'json-patch+json', 'apply-patch+yaml'])('sends bodies of %s', (type) => {
    expect(requests.filter(({ headers }) => headers['content-type']?.includes(type)).length).toBeGreaterThan(30);
  });
});

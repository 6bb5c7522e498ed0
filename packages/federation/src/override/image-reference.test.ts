import { describe, expect, it } from 'vitest';
import { imageText, parseImage, withTagOrDigest } from './image-reference.ts';

const hex = 'a'.repeat(64);

describe('FED-7: references of images, as distribution/reference v0.6.0 reads them', () => {
  it.each([
    ['pause', '', 'pause', '', ''],
    ['a/b:1', '', 'a/b', '1', ''],
    ['Up/foo', '', 'Up/foo', '', ''],
    ['localhost/x', 'localhost', 'x', '', ''],
    ['localhost:5000', '', 'localhost', '5000', ''],
    ['h:5000/x:1', 'h:5000', 'x', '1', ''],
    ['registry.example:10443/sub/name:v1.0.0', 'registry.example:10443', 'sub/name', 'v1.0.0', ''],
    ['10.10.10.10:10443/sub/name', '10.10.10.10:10443', 'sub/name', '', ''],
    ['[::1]:80/x', '[::1]:80', 'x', '', ''],
    ['[::1]/x', '[::1]', 'x', '', ''],
    ['a__b', '', 'a__b', '', ''],
    ['a--b', '', 'a--b', '', ''],
    ['x.y', '', 'x.y', '', ''],
    [`x@sha256:${hex}`, '', 'x', '', `sha256:${hex}`],
    [`x@sha512:${hex}${hex}`, '', 'x', '', `sha512:${hex}${hex}`],
    [`x:${'t'.repeat(128)}`, '', 'x', 't'.repeat(128), ''],
    ['a'.repeat(255), '', 'a'.repeat(255), '', ''],
    [`h.io/${'a'.repeat(255)}`, 'h.io', 'a'.repeat(255), '', ''],
  ])('FED-7: %s', (image, registry, repository, tag, digest) => {
    expect(parseImage(image)).toEqual({ registry, repository, tag, digest });
    expect(imageText(parseImage(image))).toBe(image);
  });

  it('FED-7: of a tag and a digest the tag is kept', () => {
    expect(parseImage(`x:1@sha256:${hex}`)).toEqual({ registry: '', repository: 'x', tag: '1', digest: '' });
  });

  it.each([
    '',
    'foo/Up',
    'a___b',
    'a_.b',
    '-a/b',
    'a-/b',
    'a-/B',
    `x@sha256:${hex.toUpperCase()}`,
    `x@md5:${'a'.repeat(32)}`,
    'x:',
    'x@',
    ':1',
    'a//b',
    '/a',
    'a/',
    `x:${'t'.repeat(129)}`,
    'a'.repeat(256),
    'x:1:2',
    'x@a@b',
    'x.y/',
    'é',
    'x\n',
    'a..b/c',
    'h:/x',
    'h:80:90/x',
  ])('FED-7: %j is none', (image) => {
    expect(() => parseImage(image)).toThrow(`${JSON.stringify(image)} is no reference of an image`);
  });

  it.each([
    ['v2', 'x:v2'],
    [`sha256:${hex}`, `x@sha256:${hex}`],
    [`@sha256:${hex}`, 'x:1'],
    ['', 'x:1'],
  ])('FED-7: x:1 with %j is %s', (text, expected) => {
    expect(imageText(withTagOrDigest(parseImage('x:1'), text))).toBe(expected);
  });
});

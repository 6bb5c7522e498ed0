import { describe, expect, it } from 'vitest';
import { acceptFor, acceptOnlyJson, jsonForm, parseAccept } from './negotiate.ts';

const kubectlTable = [
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=Table;v=v1beta1;g=meta.k8s.io',
  'application/json',
].join(',');

describe('jsonForm', () => {
  it.each([
    [undefined, 'object'],
    ['', 'object'],
    ['*/*', 'object'],
    ['application/*', 'object'],
    ['application/json', 'object'],
    ['Application/JSON', 'object'],
    [kubectlTable, 'Table'],
    ['application/json; as=Table; v=v1; g=meta.k8s.io', 'Table'],
    ['application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json', 'PartialObjectMetadataList'],
    ['application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io', 'PartialObjectMetadata'],
    ['application/vnd.kubernetes.protobuf,application/json', 'object'],
    ['application/json;as=Other;v=v1;g=meta.k8s.io,application/json', 'object'],
    ['application/json;as=Table;v=v1;g=meta.k8s.io;q=0.5,application/json', 'object'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'object'],
    ['application/vnd.kubernetes.protobuf', undefined],
    ['application/cbor,application/yaml', undefined],
    ['application/json;q=0', undefined],
    ['application/json;as=Table;v=v2;g=meta.k8s.io', undefined],
    ['application/json;as=Table;v=v1beta1;g=meta.k8s.io', undefined],
    ['application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json', 'object'],
  ])('LIST-9: %s is answered as %s', (header, form) => {
    expect(jsonForm(header)).toBe(form);
  });

  it('LIST-9: what we ask a member for is what we read it as', () => {
    for (const form of ['object', 'Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'] as const) {
      expect(jsonForm(acceptFor(form))).toBe(form);
    }
  });
});

it.each([
  [undefined, 'application/json'],
  ['application/vnd.kubernetes.protobuf,application/json', 'application/json'],
  [kubectlTable, kubectlTable],
  ['application/json;as=Table;v=v1beta1;g=meta.k8s.io', 'application/json;as=Table;v=v1beta1;g=meta.k8s.io'],
  ['application/json;as=Table;v=v2;g=meta.k8s.io', undefined],
  [
    'application/json;q=0.5,*/*;as=Table;v=v1;g=meta.k8s.io',
    'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
  ],
  ['application/yaml', undefined],
])('LIST-9: of %s a member is asked for %s', (header, asked) => {
  expect(acceptOnlyJson(header)).toBe(asked);
});

it('parseAccept keeps the order of clauses of equal quality', () => {
  const types = parseAccept('a/a;q=0.5, b/b, c/c;q=0.5, d/d').map(({ type }) => type);
  expect(types).toEqual(['b/b', 'd/d', 'a/a', 'c/c']);
});

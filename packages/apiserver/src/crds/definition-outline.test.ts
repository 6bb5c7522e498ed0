import { expect, it } from 'vitest';
import { type Definition, hasSchemaOnThread } from './definition.ts';
import { readDefinition } from './definition-outline.ts';

const schema = (fields: number) => ({
  openAPIV3Schema: {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: fields }, (_, index) => [`f${index}`, { type: 'string' }])),
  },
});
const definition = (...fields: number[]) => ({
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com', annotations: { schema: 'x'.repeat(40_000) } },
  spec: {
    group: 'example.com',
    schema: 'not this one',
    versions: fields.map((count, index) => ({
      name: `v${index}`,
      served: true,
      schema: schema(count),
      storage: false,
    })),
  },
  status: { conditions: [] },
});
const read = async (object: object) => (await readDefinition(Buffer.from(JSON.stringify(object)))) as Definition;

it('LIMIT-3: a long schema is left out of what is kept of a definition, and nothing else', async () => {
  const found = await read(definition(1, 5_000, 2));
  const { spec, ...rest } = definition(1, 5_000, 2);
  expect(found).toEqual({
    ...rest,
    spec: {
      ...spec,
      versions: spec.versions.map((one, index) => (index === 1 ? { ...one, schema: { isOnThread: true } } : one)),
    },
  });
  expect(hasSchemaOnThread(found)).toBe(true);
});

it('without one it is whole', async () => {
  for (const fields of [[1], [300, 2], []]) {
    const found = await read(definition(...fields));
    expect(found).toEqual(definition(...fields));
    expect(hasSchemaOnThread(found)).toBe(false);
  }
  expect(await read({ metadata: { name: 'x'.repeat(40_000) }, spec: { versions: null } })).toMatchObject({ spec: {} });
});

const described = (fields: number, prose: string) => ({
  openAPIV3Schema: {
    type: 'object',
    description: prose,
    properties: Object.fromEntries(
      Array.from({ length: fields }, (_, index) => [`f${index}`, { description: prose, type: 'string' }]),
    ),
  },
});
const oneOf = (one: object) => ({ metadata: {}, spec: { versions: [{ name: 'v1', schema: one }] } });

it('LIMIT-3: descriptions make no schema long, unless they are very long themselves', async () => {
  const prose = `${'word "quoted" \\ '.repeat(6)}"description":"`;
  const kept = oneOf(described(500, prose));
  expect(JSON.stringify(kept).length).toBeGreaterThan(80_000);
  expect(await read(kept)).toEqual(kept);
  // 1 500 fields are too many, even without descriptions.
  expect(hasSchemaOnThread(await read(oneOf(described(1_500, 'x'))))).toBe(true);
  expect(hasSchemaOnThread(await read(oneOf(described(500, 'x'.repeat(1_000)))))).toBe(true);
});

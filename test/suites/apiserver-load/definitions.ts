/** Two kinds of our own that are dear to check: a list of many elements with patterns, and rules that cost more than they may. */

const group = 'load.fleet.dev';

const text = { type: 'string' };
const number = { type: 'integer', minimum: 0 };

const crateSpec = {
  type: 'object',
  properties: {
    // For Go's expressions no text is long; for others this one takes for ever.
    word: { type: 'string', pattern: '^(a+)+$' },
    numbers: { type: 'array', items: number },
    items: {
      type: 'array',
      items: { type: 'object', required: ['key'], properties: { key: text, value: text, count: number } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['key'],
    },
    tree: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
};

/** Estimated at less than a definition may cost, and more than one call may. */
const puzzleSpec = {
  type: 'object',
  properties: {
    pieces: { type: 'array', maxItems: 1_000, items: { type: 'integer' } },
    title: { type: 'string', maxLength: 10_000 },
  },
  'x-kubernetes-validations': [
    { rule: '!has(self.pieces) || self.pieces.all(x, self.pieces.all(y, x + y >= 0))', message: 'no sum is negative' },
    { rule: "!has(self.title) || !self.title.matches('^(b+)+$')", message: 'not only b' },
  ],
};

const versionOf = (name: string, spec: object, storage: boolean) => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
});

export function definitionOf(plural: string, kind: string, spec: object, versions: readonly string[] = ['v1']) {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: versions.map((name, index) => versionOf(name, spec, index === 0)),
    },
  };
}

export const definitions = [
  // Of two versions: what is kept is changed to be shown.
  definitionOf('crates', 'Crate', crateSpec, ['v1', 'v2']),
  definitionOf('puzzles', 'Puzzle', puzzleSpec),
];

/** A definition of so many fields. */
export const wideDefinition = (plural: string, fields: number) =>
  definitionOf(plural, plural[0]!.toUpperCase() + plural.slice(1), {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: fields }, (_, index) => [`f${index}`, fieldOf(index)])),
  });

/** Of three sorts, and some 45 bytes. */
const fieldOf = (index: number): object =>
  [text, { type: 'string', maxLength: 100 }, { type: 'object', properties: { a: text } }][index % 3]!;

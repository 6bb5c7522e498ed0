/** Texts that cost parsers dear: something short again and again, with what does not fit before or behind it. */

export interface Shape {
  name: string;
  make(length: number): string;
}

const units = [
  ...[
    ' ',
    '\n',
    'a',
    '0',
    '.',
    ',',
    ':',
    '/',
    '-',
    '=',
    '!',
    '&',
    '%2e',
    '%',
    '%/',
    '%ff/',
    '"',
    '\\"',
    "'",
    '(',
    '[',
    '{',
    '[]',
  ],
  ...['a,', 'a ', '-a', '.a', '0.', '00s', '//', 'é', '{"a":', '"a":1,', '- a\n', 'a: b\n', '.clusterspace.m1', 'in ('],
  ...["['a", '[?(@', '\\"""'],
];

const endings = ['', '!'];
const beginnings = ['', 'a='];

export const shapes: Shape[] = beginnings.flatMap((beginning) =>
  units.flatMap((unit) =>
    endings.map((ending) => ({
      name: `${JSON.stringify(beginning)} ${JSON.stringify(unit)}… ${JSON.stringify(ending)}`,
      make: (length) => beginning + unit.repeat(length / unit.length) + ending,
    })),
  ),
);

/** As a body of JSON: one text of it, and structures that are whole. */
export const jsonShapes: Shape[] = [
  ...units.map((unit) => ({
    name: `a text of ${JSON.stringify(unit)}`,
    make: (length: number) => JSON.stringify({ metadata: { name: unit.repeat(length / unit.length) } }),
  })),
  { name: 'members', make: (length) => `{"a":{${'"b":1,'.repeat(length / 6)}"c":2}}` },
  {
    name: 'different members, all twice',
    make(length) {
      const members = Array.from({ length: length / 20 }, (_, index) => `"m${index}":1`).join();
      return `{"a":{${members},${members}}}`;
    },
  },
  { name: 'elements', make: (length) => `{"a":[${'"x.clusterspace.m1",'.repeat(length / 20)}1]}` },
  {
    name: 'versions under a long key',
    make: (length) => `{"${'a'.repeat(length / 2)}":{${'"resourceVersion":"x",'.repeat(length / 44)}"b":1}}`,
  },
  { name: 'depth of lists', make: (length) => `{"a":${'['.repeat(length / 2)}${']'.repeat(length / 2)}}` },
  { name: 'depth of objects', make: (length) => `${'{"a":'.repeat(length / 6)}1${'}'.repeat(length / 6)}` },
  { name: 'objects in a list', make: (length) => `{"items":[${'{"metadata":{"name":"a"}},'.repeat(length / 26)}{}]}` },
  { name: 'digits', make: (length) => `{"a":${'1'.repeat(length)}}` },
  { name: 'space', make: (length) => `{"a":${' '.repeat(length)}1}` },
];

import { parseJson } from '@fleet/kube/json-value.ts';
import { describe, expect, it } from 'vitest';
import { duplicateFields, inOrderOfText } from './duplicate-fields.ts';

const found = (text: string) => duplicateFields(text, parseJson(text));

/** CPU time of this thread. */
function milliseconds(work: () => unknown): number {
  const begun = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1000;
}

describe('fields that stand twice', () => {
  it('are reported by their paths, each once', () => {
    expect(found('{"a":1,"b":{"c":1,"c":2,"c":3},"d":[{"e":1,"e":2}],"a":2}')).toEqual(['b.c', 'd[0].e', 'a']);
    expect(found('{"a":":\\":","b":[":",{"c":"\\\\"}]}')).toEqual([]);
  });

  it('and others come in the order of the text', () => {
    const text = '{"x":1,"a":1,"y":2,"a":2}';
    const faults = [
      { path: 'a', is: 'twice' as const },
      { path: 'y', is: 'unknown' as const },
    ];
    expect(inOrderOfText(text, faults).map(({ path }) => path)).toEqual(['y', 'a']);
  });

  it('SEC-3: a text of quotes costs no more than its length', () => {
    const text = JSON.stringify({ spec: { token: '"'.repeat(31_000) } });
    expect(milliseconds(() => found(text))).toBeLessThan(500);
  });

  it('SEC-3: many that stand twice cost no more than their number', () => {
    const members = Array.from({ length: 20_000 }, (_, index) => `"m${index}":1`).join();
    const text = `{${members},${members}}`;
    const faults = found(text).map((path) => ({ path, is: 'twice' as const }));
    expect(faults).toHaveLength(20_000);
    expect(milliseconds(() => inOrderOfText(text, faults))).toBeLessThan(1_500);
  });

  it('are reported once, though the field that holds them stands twice as well', () => {
    expect(found('{"a":{"b":1,"b":2},"a":{"b":1,"b":2,"c":1,"c":1}}')).toEqual(['a.b', 'a', 'a.c']);
  });

  it('SEC-3: a name that never ends costs no more than its length, however much stands twice below it', () => {
    const members = Array.from({ length: 20_000 }, (_, index) => `"m${index}":1`).join();
    const text = `{"${'a'.repeat(500_000)}":{${members},${members}}}`;
    const faults = found(text).map((path) => ({ path, is: 'twice' as const }));
    expect(faults).toHaveLength(20_000);
    expect(milliseconds(() => inOrderOfText(text, faults.slice(0, 100)))).toBeLessThan(1_500);
  });
});

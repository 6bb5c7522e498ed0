import { describe, expect, it } from 'vitest';
import { rewriteJson } from './json-text.ts';
import { newReading, rulesFor } from './rules.ts';

const subject = { settled: true, list: false };
const scope = 'diff-1-abcda';

function normalised(value: unknown, about = subject): unknown {
  return JSON.parse(rewriteJson(JSON.stringify(value), rulesFor(newReading(about, scope))));
}

const now = new Date().toISOString().replace(/\.\d+/, '');
const uid = 'c5d35f0a-2b2a-4f16-9f61-d25f89fdd2ef';

describe('an object', () => {
  it('loses what each server gives on its own, and keeps what the request gave', () => {
    const metadata = { name: `${scope}-x`, uid, resourceVersion: '5', creationTimestamp: now };
    expect(normalised({ metadata, spec: { renewTime: '2020-01-02T03:04:05Z', size: 5 } })).toEqual({
      metadata: { name: 'SCOPE-x', uid: '‹uid›', resourceVersion: '‹version›', creationTimestamp: '‹time›Z' },
      spec: { renewTime: '2020-01-02T03:04:05Z', size: 5 },
    });
  });

  it('loses its status if a controller writes it, but keeps the fields managed by others', () => {
    const managedFields = [{ manager: 'a' }, { manager: 'kube-controller-manager' }];
    const object = { metadata: { managedFields }, status: { replicas: 1 } };
    expect(normalised(object)).toEqual(object);
    expect(normalised({ items: [object] }, { settled: false, list: true })).toEqual({
      items: [{ metadata: { managedFields: [{ manager: 'a' }] }, status: '‹status›' }],
    });
  });

  it('keeps whether an address or a port is allocated', () => {
    expect(normalised({ spec: { clusterIP: '10.0.3.4', ports: [{ nodePort: 30_123 }] } })).toEqual({
      spec: { clusterIP: '‹address›', ports: [{ nodePort: '‹port›' }] },
    });
    expect(normalised({ spec: { clusterIP: 'None', clusterIPs: ['None'] } })).toEqual({
      spec: { clusterIP: 'None', clusterIPs: ['None'] },
    });
  });
});

it('a Table loses cells that run with the clock, by the names of its columns', () => {
  const table = {
    columnDefinitions: [{ name: 'Name' }, { name: 'Age' }],
    rows: [{ cells: ['5s', '5s'] }, { cells: ['x', '<unknown>'] }],
  };
  expect(normalised(table)).toEqual({
    ...table,
    rows: [{ cells: ['5s', '‹running›'] }, { cells: ['x', '<unknown>'] }],
  });
});

it('a Status keeps its message and causes, in one order', () => {
  const status = (message: string, ...causes: string[]) =>
    normalised({ message, details: { causes: causes.map((field) => ({ field })) } });
  expect(status('x is invalid: [b: bad, a: bad]', 'b', 'a')).toEqual(
    status('x is invalid: [a: bad, b: bad]', 'a', 'b'),
  );
  expect(status('x is invalid: [b: bad]')).not.toEqual(status('x is invalid: [c: bad]'));
});

it('a Status loses in what structs of Go differ', () => {
  const diff = '@@ -1,3 +1,2 @@\n {\n- "Command": null,\n+ "Command": [\n@@ -9,1 +8,1 @@\n-}\n';
  const status = (text: string) => ({
    message: `x is invalid: [spec: no\n${text}, a: bad]`,
    details: { causes: [{ message: `no\n${text}` }] },
  });
  expect(normalised(status(diff))).toEqual(normalised(status('')));
});

describe('rewriting', () => {
  const still = {
    whole: () => undefined,
    key: (raw: string) => raw,
    scalar: (_: readonly string[], raw: string) => raw,
  };

  it('leaves the rest of the text as it stands', () => {
    const text = ' {\n  "b" : [1.50, -2e3, true,null, "\\u003c\\"\\\\"],\t"a":{} , "10":[[],{"9":""}]}\n';
    expect(rewriteJson(text, still)).toBe(text);
  });

  it('refuses what is not JSON', () => {
    expect(() => rewriteJson('{"a":1', still)).toThrow(SyntaxError);
    expect(() => rewriteJson('', still)).toThrow(SyntaxError);
  });
});

import { describe, expect, it } from 'vitest';
import type { Answer } from '../request.ts';
import { Comparer } from './compare.ts';

const scopes = { left: 'diff-1-abcda', right: 'diff-1-abcdb' };
const subject = { settled: true, list: false };

function answer(body: unknown, more: Partial<Answer> = {}): Answer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(text), ...more };
}

const where = (left: Answer, right: Answer, bytes = false) =>
  new Comparer(scopes, bytes).answers(subject, left, right).map((delta) => delta.where);

describe('answers are the same', () => {
  it('under the names and versions of either side', () => {
    const left = { metadata: { name: 'diff-1-abcda-0', resourceVersion: '7' } };
    const right = { metadata: { resourceVersion: '99', name: 'diff-1-abcdb-0' } };
    expect(where(answer(left), answer(right))).toEqual([]);
  });
});

describe('answers differ', () => {
  it('by status, header, field', () => {
    const left = answer({ reason: 'NotFound', code: 404 }, { status: 404 });
    const right = answer({ reason: 'Gone', code: 404 }, { status: 410, headers: { 'content-type': 'text/plain' } });
    expect(where(left, right)).toEqual(['status', 'header content-type', 'body .reason']);
  });

  it('if one is not JSON, or none came', () => {
    expect(where(answer('{"a":1}'), answer('{"a":1'))).toEqual(['body at 6']);
    expect(where(answer('{}'), answer('', { status: 0, failure: 'UND_ERR_SOCKET' }))).toContain('failure');
  });

  it('by the order of keys and by spaces, when bytes are compared', () => {
    expect(where(answer('{"a":1,"b":2}'), answer('{"b":2,"a":1}'), true)).toEqual(['body text at 2']);
    expect(where(answer('{"a":1}'), answer('{"a": 1}'), true)).toEqual(['body text at 5']);
    expect(where(answer('{"a":1}'), answer('{"a": 1}'))).toEqual([]);
    expect(where(answer('{"a":"<"}'), answer('{"a":"\\u003c"}'), true)).toEqual(['body text at 6']);
  });

  it('in protobuf, but not by time and uid', () => {
    const message = (name: string, seconds: number) => {
      const time = Buffer.alloc(5);
      for (let at = 0, rest = seconds; at < 5; at++, rest = Math.floor(rest / 128))
        time[at] = (rest % 128) | (at < 4 ? 128 : 0);
      const text = Buffer.from(name);
      const bytes = Buffer.concat([
        Buffer.from('k8s\0\x0a'),
        Buffer.from([text.length]),
        text,
        Buffer.from([0x10]),
        time,
      ]);
      return { ...answer(''), body: bytes, headers: { 'content-type': 'application/vnd.kubernetes.protobuf' } };
    };
    const now = Math.floor(Date.now() / 1000);
    expect(where(message('x', now), message('x', now - 3))).toEqual([]);
    expect(where(message('x', now), message('y', now))).toEqual(['body at 8']);
  });
});

it('one uid or version on one side is one on the other', () => {
  const comparer = new Comparer(scopes, false);
  const seen = (version: string, uid: string) => answer({ metadata: { resourceVersion: version, uid } });
  const [a, b, c] = ['a', 'b', 'c'].map((one) => `${one}5d35f0a-2b2a-4f16-9f61-d25f89fdd2ef`) as [
    string,
    string,
    string,
  ];
  const check = (left: Answer, right: Answer) => comparer.answers(subject, left, right).map((delta) => delta.where);
  expect(check(seen('5', a), seen('8', b))).toEqual([]);
  expect(check(seen('5', a), seen('8', b))).toEqual([]);
  // the right one wrote although nothing changed
  expect(check(seen('5', a), seen('9', b))).toEqual(['body version']);
  expect(check(seen('6', a), seen('10', c))).toEqual(['body uid']);
});

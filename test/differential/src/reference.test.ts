import { expect, it } from 'vitest';
import { Memory } from './reference.ts';
import type { Request } from './request.ts';

const object = (version: string) => ({ metadata: { resourceVersion: version, uid: `uid-${version}` } });
const one = { settled: true, list: false, remember: 'clusterroles/@{scope}-0-alpha' };

function filled(memory: Memory, text: string): string {
  const request: Request = { method: 'GET', path: `/${text}`, query: [['q', text]], headers: {}, body: text };
  const { path, query, body } = memory.fill(request);
  expect(path).toBe(`/${body}`);
  expect(query).toEqual([['q', body]]);
  return body ?? '';
}

it('fills in what the side has returned', () => {
  const memory = new Memory('diff-1-aa');
  memory.learn(one, object('5'));
  memory.learn(one, object('5'));
  memory.learn(one, object('7'));
  const key = one.remember;
  expect(filled(memory, `@{scope}: @{rv:${key}}, @{old:${key}}, @{uid:${key}}`)).toBe('diff-1-aa: 7, 5, uid-7');
});

it('has a well-formed word for what it has not seen', () => {
  const memory = new Memory('s');
  expect(filled(memory, '@{rv:a/b}|@{old:a/b}|@{continue:a}|@{uid:a/b}')).toBe(
    '1|1||00000000-0000-4000-8000-000000000000',
  );
});

it('keeps the version and the token of a list apart from those of objects', () => {
  const memory = new Memory('s');
  memory.learn(
    { settled: true, list: true, remember: 'pods' },
    { metadata: { resourceVersion: '9', continue: 'abc' } },
  );
  expect(filled(memory, '@{listed:pods} @{continue:pods}')).toBe('9 abc');
  memory.learn({ settled: true, list: true, remember: 'pods' }, { metadata: { resourceVersion: '9' } });
  expect(filled(memory, '@{continue:pods}')).toBe('');
});

import { memberAdmission } from '@fleet/apiserver/admission/admission.ts';
import { describe, expect, it } from 'vitest';
import { answerDifferences } from '../apiserver-mistakes/answer-differences.ts';
import { comparable } from '../apiserver-mistakes/comparable.ts';
import { openEmbedded } from '../apiserver-mistakes/embedded-rules.ts';
import { mistakesOf } from '../apiserver-mistakes/mistake.ts';
import { readRecorded, recordable } from '../apiserver-mistakes/recorded.ts';
import { disagreements, mistakes, namespace, tryMistakes } from '../apiserver-mistakes/try-mistakes.ts';
import { warningTexts } from '../apiserver-mistakes/warning-texts.ts';

describe('common mistakes', () => {
  it('have names of their own, and an answer of kube-apiserver each', () => {
    const names = mistakes.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect([...readRecorded().keys()]).toEqual(names);
    const refusals = [...readRecorded().values()].filter((answer) => typeof answer === 'object');
    expect(refusals.length).toBeGreaterThanOrEqual(150);
  });

  it('are changes of a valid object, by paths', () => {
    const base = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { labels: { a: 'b' } },
      spec: { list: [{ x: 1 }, { y: 2 }] },
    };
    const [create, update] = mistakesOf([
      {
        base,
        create: { one: { 'spec/list/0/x': 5, 'metadata/labels/c~1d': 'e' } },
        update: { two: [{ 'spec/z': 1 }, { 'spec/list/0': undefined }] },
      },
    ]);
    expect(create).toMatchObject({
      name: 'v1 Pod: create: one',
      request: {
        op: 'create',
        object: { metadata: { labels: { a: 'b', 'c/d': 'e' } }, spec: { list: [{ x: 5 }, { y: 2 }] } },
      },
    });
    expect(update?.request.old?.['spec']).toEqual({ list: [{ x: 1 }, { y: 2 }], z: 1 });
    expect(update?.request.object?.['spec']).toEqual({ list: [{ y: 2 }], z: 1 });
  });

  it('are answered alike whatever the order of causes, but not with another message', () => {
    const [a, b] = [
      { reason: 'FieldValueRequired', message: 'Required value', field: 'a' },
      { reason: 'FieldValueRequired', message: 'Required value', field: 'b' },
    ];
    const status = (message: string, ...causes: object[]) => recordable({ code: 422, message, details: { causes } });
    const found = (one: ReturnType<typeof status>, other: ReturnType<typeof status>) =>
      disagreements(new Map([['x', one]]), new Map([['x', other]]));
    expect(found(status('[a, b]', a, b), status('[b, a]', b, a))).toEqual([]);
    expect(found(status('a', a), status('b', a)).length).toBe(1);
    expect(found(status('a', a), status('a', b)).length).toBe(1);
  });
});

it('COMPAT-4: the embedded API server answers common mistakes as kube-apiserver did', { timeout: 60_000 }, async () => {
  await using embedded = await openEmbedded(memberAdmission);
  await embedded.send('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  await embedded.send('POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'default' } });
  expect(disagreements(await tryMistakes(embedded.send, mistakes), readRecorded())).toEqual([]);
});

describe('answers', () => {
  it('are compared without what a server chooses', () => {
    const object = (uid: string, more: object) => ({ object: { kind: 'Pod', metadata: { uid, name: 'a' }, ...more } });
    expect(answerDifferences(object('1', {}), object('2', {}))).toEqual([]);
    expect(answerDifferences(object('1', { spec: { a: [1, 2] } }), object('1', { spec: { a: [1, 3] } }))).toEqual([
      { where: 'spec.a[1]', left: 2, right: 3 },
    ]);
    expect(answerDifferences({ status: { code: 422, message: 'no' } }, object('1', {}))).toEqual([
      { where: 'answer', left: '422 no', right: 'accepted' },
    ]);
  });

  it('are compared without structs of Go', () => {
    const struct = `Invalid value: {"Volumes":null,${'"A":null,'.repeat(40)}"B":1}: field is immutable`;
    expect(comparable({ message: [struct] })).toEqual({ message: ['Invalid value: ‹struct›: field is immutable'] });
    const diff = 'may not change\n@@ -1,2 +1,2 @@\n {\n- "Command": null,\n+ "Command": [\n';
    expect(comparable(`[${diff}@@ -5,1 +5,1 @@\n-x\n, spec.a: no]`)).toBe('[may not change\n, spec.a: no]');
    expect(comparable('Invalid value: {"a":"b"}: no')).toBe('Invalid value: {"a":"b"}: no');
  });

  it('have the texts of their warnings', () => {
    expect(warningTexts('299 - "one", 299 - "with \\"quotes\\", and a comma"')).toEqual([
      'one',
      'with "quotes", and a comma',
    ]);
    expect(warningTexts('')).toEqual([]);
  });
});

import { badRequest, expired, forbidden, StatusError } from '@fleet/kube/status.ts';
import { describe, expect, it } from 'vitest';
import { settle } from './settle.ts';
import type { ListAnswer, SourceList } from './source.ts';

async function* none(): AsyncGenerator<Buffer[]> {}
const list: SourceList = { is: 'list', head: {}, items: none(), end: () => ({}) };
const absent: ListAnswer = { is: 'absent' };
const refused: ListAnswer = {
  is: 'refused',
  error: forbidden('pods is forbidden: User "a" cannot list resource "pods"', { group: '', resource: 'pods' }),
};
const invalid: ListAnswer = { is: 'invalid', error: badRequest('field label not supported: x') };
const missing: ListAnswer = { is: 'missing', reason: 'cannot be reached' };
const gone: ListAnswer = { is: 'expired', error: expired('too old') };

/** What comes of the answers of m1, m2, …: clusters shown and warnings, or the code of the error. */
const outcome = (partial: boolean, ...answers: ListAnswer[]) => {
  try {
    const { lists, warnings } = settle(
      answers.map((answer, index) => ({ cluster: `m${index + 1}`, answer })),
      partial,
    );
    return { shown: lists.map(({ cluster }) => cluster), warnings: warnings.length };
  } catch (error) {
    if (error instanceof StatusError) return error.code;
    throw error;
  }
};

describe('what members’ answers make of a list', () => {
  it.each([
    ['LIST-1: all answer', [list, list], { shown: ['m1', 'm2'], warnings: 0 }],
    ['LIST-2: one does not serve it', [absent, list], { shown: ['m2'], warnings: 0 }],
    ['LIST-2: nobody serves it', [absent, absent], 404],
    ['LIST-3: one refuses', [refused, list], { shown: ['m2'], warnings: 0 }],
    ['ERR-3: some lack it, the rest refuse', [absent, refused], 403],
    ['ERR-3: all refuse', [refused, refused], 403],
    ['LIST-10: one finds fault', [invalid, list], { shown: ['m2'], warnings: 1 }],
    ['LIST-10: all find fault', [invalid, invalid], 400],
    ['LIST-10: one has compacted', [list, gone], 410],
    ['LIST-10: 410 comes before what is missing', [missing, gone], 410],
  ] as const)('%s', (_, answers, expected) => {
    expect(outcome(false, ...answers)).toEqual(expected);
    expect(outcome(true, ...answers)).toEqual(expected);
  });

  it.each([
    ['one away, strict', false, [list, missing], 503],
    ['one away, partial', true, [list, missing], { shown: ['m1'], warnings: 1 }],
    ['one away and one refuses, partial', true, [list, missing, refused], { shown: ['m1'], warnings: 1 }],
    ['all away, partial', true, [missing, missing], 503],
    ['one away, the rest lack it, partial', true, [missing, absent], 503],
  ] as const)('LIST-4: %s', (_, partial, answers, expected) => {
    expect(outcome(partial, ...answers)).toEqual(expected);
  });

  it('LIST-4: the 503 names who is missing and has no Retry-After', () => {
    expect(() =>
      settle(
        [
          { cluster: 'm1', answer: list },
          { cluster: 'm2', answer: missing },
        ],
        false,
      ),
    ).toThrow(
      expect.objectContaining({
        code: 503,
        message: expect.stringMatching(/cluster "m2" cannot be reached.*partial=true/),
        details: { causes: [{ reason: 'ClusterMissing', message: 'cannot be reached', field: 'm2' }] },
      }),
    );
  });

  it('LIST-4: a warning names the cluster and the reason', () => {
    const answers = [
      { cluster: 'm1', answer: list },
      { cluster: 'm2', answer: missing },
    ];
    expect(settle(answers, true)).toMatchObject({
      missing: [{ cluster: 'm2', reason: 'cannot be reached' }],
      warnings: ['cluster "m2" is missing from this list: it cannot be reached'],
    });
  });

  it('ERR-3: a refusal is in the member’s words', () => {
    expect(() => settle([{ cluster: 'm1', answer: refused }], true)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('cannot list resource "pods"'),
        details: { kind: 'pods' },
      }),
    );
  });
});

it('CACHE-12: the warning of a source about its list stands among the others, behind those of clusters that are missing', () => {
  const stale: SourceList = { ...list, warning: 'cluster "m2" is stale since 10:00' };
  const answers = [missing, stale].map((answer, index) => ({ cluster: `m${index + 1}`, answer }));
  expect(settle(answers, true).warnings).toEqual([
    'cluster "m1" is missing from this list: it cannot be reached',
    'cluster "m2" is stale since 10:00',
  ]);
});

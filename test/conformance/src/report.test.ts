import { expect, it } from 'vitest';
import { readReport } from './report.ts';

const spec = (text: string, state: string, message?: string) => ({
  LeafNodeType: 'It',
  ContainerHierarchyTexts: ['search'],
  LeafNodeText: text,
  State: state,
  RunTime: 2e9,
  ...(message ? { Failure: { Message: message } } : {}),
});
const reportOf = (...specs: object[]): string => JSON.stringify([{ SpecReports: specs }]);

it('returns how each spec ended; those that were not selected are left out', () => {
  const outcomes = readReport(reportOf(spec('a', 'passed'), spec('b', 'failed', 'why'), spec('c', 'skipped')));
  expect(Object.fromEntries(outcomes)).toEqual({
    'search a': { passed: true, seconds: 2, message: undefined },
    'search b': { passed: false, seconds: 2, message: 'failed: why' },
  });
});

it('numbers specs that share a name, so that none hides another', () => {
  const outcomes = readReport(
    reportOf(spec('nodes', 'passed'), spec('nodes', 'failed', 'why'), spec('pods', 'passed')),
  );
  expect([...outcomes].map(([name, { passed }]) => [name, passed])).toEqual([
    ['search nodes', true],
    ['search nodes (2)', false],
    ['search pods', true],
  ]);
});

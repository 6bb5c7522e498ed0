import { expect, test } from 'vitest';
import { compare, describeComparison } from './comparison.ts';
import { readReport } from './report.ts';

const it = (LeafNodeText: string, State: string, Message?: string) => ({
  LeafNodeType: 'It',
  ContainerHierarchyTexts: ['[sig-x]', 'Things'],
  LeafNodeText,
  State,
  RunTime: 1_500_000_000,
  ...(Message ? { Failure: { Message } } : {}),
});

const report = (...specs: object[]) => readReport(JSON.stringify([{ SpecReports: specs }]));

test('a report lists the specs that were run, by full name', () => {
  const beforeSuite = { LeafNodeType: 'SynchronizedBeforeSuite', ContainerHierarchyTexts: null, LeafNodeText: '' };
  const outcomes = report(
    { ...beforeSuite, State: 'passed', RunTime: 1 },
    it('works', 'passed'),
    it('was not selected', 'skipped'),
    it('skips itself', 'skipped', 'no nodes'),
    it('breaks', 'failed', 'expected 1, got 2'),
  );
  expect([...outcomes]).toEqual([
    ['[sig-x] Things works', { passed: true, seconds: 1.5, message: undefined }],
    ['[sig-x] Things skips itself', { passed: false, seconds: 1.5, message: 'skipped: no nodes' }],
    ['[sig-x] Things breaks', { passed: false, seconds: 1.5, message: 'failed: expected 1, got 2' }],
  ]);
});

test('COMPAT-3: what fails on both sides is no difference, what passes on one is, with its message', () => {
  const direct = report(it('a', 'passed'), it('b', 'passed'), it('c', 'failed', 'no'), it('d', 'passed'));
  const through = report(it('a', 'passed'), it('b', 'timedout', 'too slow'), it('c', 'failed', 'no'));
  const comparison = compare(direct, through);
  expect(describeComparison(comparison).split('\n')).toEqual([
    'direct 3, through 1, differ 2',
    '  only direct: [sig-x] Things b',
    '    timedout: too slow',
    '  only direct: [sig-x] Things d',
    '    was not run',
  ]);
  expect(describeComparison(compare(through, direct))).toContain('only through: [sig-x] Things d');
});

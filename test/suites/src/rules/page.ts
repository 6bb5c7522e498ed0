/** The page of rules: statements are written by hand, the tests of each by `npm run rules`. */

import { dirname, relative } from 'node:path';
import type { Quotes } from './quotes.ts';

export const pagePath = 'docs/reference/rules.md';

export interface Rule {
  number: string;
  statement: string;
  /** What is not tested, or not there yet. */
  missing: string[];
  tests: string | undefined;
}

const heading = /^#### ([A-Z]+-\d+)$/;

/** The page in pieces: each rule from its heading to the next one, and what is between. */
const sectionsOf = (page: string): string[] => page.split(/^(?=#{1,4} )/m);

const numberOf = (section: string): string | undefined => heading.exec(section.split('\n', 1)[0]!)?.[1];

const paragraphsOf = (section: string): string[] => section.trim().split('\n\n').slice(1);

const isTests = (paragraph: string): boolean => paragraph.startsWith('Tests: ');
const isMissing = (paragraph: string): boolean => /^Not (?:tested|there yet): /.test(paragraph);

export function rulesOf(page: string): Rule[] {
  return sectionsOf(page).flatMap((section) => {
    const number = numberOf(section);
    if (!number) return [];
    const paragraphs = paragraphsOf(section);
    return {
      number,
      statement: paragraphs.filter((paragraph) => !isTests(paragraph) && !isMissing(paragraph)).join('\n\n'),
      missing: paragraphs.filter(isMissing),
      tests: paragraphs.find(isTests),
    };
  });
}

export const familiesOf = (page: string): string[] => [
  ...new Set(rulesOf(page).map(({ number }) => number.split('-')[0]!)),
];

/** The same page with the tests that quote each rule now. */
export function withTests(page: string, quotes: Quotes): string {
  const rewritten = sectionsOf(page).map((section) => {
    const number = numberOf(section);
    if (!number) return section;
    const [title] = section.split('\n', 1);
    const files = quotes.get(number) ?? [];
    const tests = files.length > 0 ? [`Tests: ${files.map(link).join(',\n')}`] : [];
    const kept = paragraphsOf(section).filter((paragraph) => !isTests(paragraph));
    return `${[title, ...kept, ...tests].join('\n\n')}\n\n`;
  });
  return `${rewritten.join('').trimEnd()}\n`;
}

const link = (file: string): string => `[${labelOf(file)}](${relative(dirname(pagePath), file)})`;

const labelOf = (file: string): string => file.replace(/^(?:packages|test)\//, '').replace('/src/', '/');

/** What is wrong with the page in itself; empty: nothing. */
export function faultsOf(page: string): string[] {
  const rules = rulesOf(page);
  const numbers = rules.map(({ number }) => number);
  const doubled = numbers.filter((number, index) => numbers.indexOf(number) !== index);
  return [
    ...doubled.map((number) => `${number} is there twice`),
    ...rules.filter(({ statement }) => !statement).map(({ number }) => `${number} has no statement`),
    ...rules
      .filter(({ tests, missing }) => !tests && missing.length === 0)
      .map(({ number }) => `${number} has no tests, and the page has no "Not tested: …" or "Not there yet: …"`),
    ...rules
      .filter(({ tests, missing }) => tests && missing.some((text) => /: all of it\b/.test(text)))
      .map(({ number }) => `${number} has tests now: name what is still missing, if anything`),
  ];
}

/** Rules that are quoted and not on the page, with the files that do. */
export const unknownOf = (page: string, quotes: Quotes): string[] => {
  const known = new Set(rulesOf(page).map(({ number }) => number));
  return [...quotes]
    .filter(([number]) => !known.has(number))
    .map(([number, files]) => `${number}: ${files.join(', ')}`);
};

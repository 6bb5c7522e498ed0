/** Starts the suites that take longest first: then none of them is left alone at the end, with a core idle beside it. */

import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { suiteSeconds } from './suite-seconds.ts';

/** One that is new may take long. */
const unknown = Number.POSITIVE_INFINITY;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const seconds = ({ moduleId }: TestSpecification) =>
      suiteSeconds[relative(this.ctx.config.root, moduleId)] ?? unknown;
    return sorted.toSorted((a, b) => compare(seconds(b), seconds(a)));
  }
}

const compare = (a: number, b: number): number => (a === b ? 0 : a - b);

/** Starts the suites that take longest first: then none of them is left alone at the end, with a core idle beside it. */

import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { suiteSeconds } from './suite-seconds.ts';

/** A suite that is new may take long; unit tests that do are few. */
const unknown = (file: string): number => (file.endsWith('.test.ts') ? 1 : Number.POSITIVE_INFINITY);

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const seconds = ({ moduleId }: TestSpecification) => {
      const file = relative(this.ctx.config.root, moduleId);
      return suiteSeconds[file] ?? unknown(file);
    };
    return sorted.toSorted((a, b) => compare(seconds(b), seconds(a)));
  }
}

const compare = (a: number, b: number): number => (a === b ? 0 : a - b);

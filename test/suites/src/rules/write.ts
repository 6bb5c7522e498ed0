/** Writes the tests of each rule into the page of rules: `npm run rules`. With `--check` it only reports that they are out of date. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { familiesOf, faultsOf, pagePath, unknownOf, withTests } from './page.ts';
import { quotedAnywhere, quotedByTests } from './quotes.ts';

const root = join(import.meta.dirname, '../../../..');
const file = join(root, pagePath);
const isCheck = process.argv.includes('--check');

const before = readFileSync(file, 'utf8');
const families = familiesOf(before);
const after = withTests(before, quotedByTests(root, families));
if (!isCheck) writeFileSync(file, after);

const faults = [
  ...(isCheck && after !== before ? [`${pagePath} is out of date: npm run rules`] : []),
  ...faultsOf(after),
  ...unknownOf(after, quotedAnywhere(root, families)).map((text) => `not in ${pagePath}: ${text}`),
];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
else console.log(`rules: ${pagePath} names the tests of each`);

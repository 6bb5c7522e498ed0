/** Loaded into a product under test: plants one small known bug, so that a suite can prove it would notice. */

import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Mutant } from './mutant.ts';

const mutant = JSON.parse(process.env['FLEET_BED_MUTANT'] ?? '{}') as Mutant;

registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith(`/${mutant.file}`)) return nextLoad(url, context);
    const source = readFileSync(fileURLToPath(url), 'utf8');
    const found = source.split(mutant.from).length - 1;
    // A mutant whose place has moved would prove nothing.
    if (found !== 1) throw new Error(`mutant: "${mutant.from}" stands ${found} times in ${mutant.file}`);
    // Also in a library that the product uses.
    const format = url.includes('/node_modules/') ? 'commonjs' : 'module-typescript';
    return { format, source: source.replace(mutant.from, () => mutant.to), shortCircuit: true };
  },
});

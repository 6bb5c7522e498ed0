/** A small known bug: a text in one file of the product, replaced when the file is loaded. */

import { fileURLToPath } from 'node:url';

export interface Mutant {
  /** As in `server/src/authz/authorize.ts`. */
  file: string;
  from: string;
  to: string;
}

const loader = fileURLToPath(new URL('mutant-loader.ts', import.meta.url));

/** What makes a Node process carry the bug. */
export const asMutant = (mutant: Mutant) => ({
  nodeFlags: ['--import', loader],
  env: { FLEET_BED_MUTANT: JSON.stringify(mutant) },
});

/** The product's own version, from its package. */

import { readFileSync } from 'node:fs';

export const productVersion: string = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

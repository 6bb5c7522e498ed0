/** Loads ssh2 with the first connection: a server without agents starts faster and takes 6 MB less. */

import { createRequire } from 'node:module';
import type ssh2 from 'ssh2';

const require = createRequire(import.meta.url);

export const library = (): typeof ssh2 => require('ssh2') as typeof ssh2;

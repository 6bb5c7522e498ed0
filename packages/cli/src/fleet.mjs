#!/usr/bin/env node
/**
 * The `fleet` command. From the second time on its files are neither stripped of their types nor compiled again: a server
 * starts in less time and takes 40 MB less. This file is JavaScript that old versions of Node can read, too: it reports
 * which version is needed.
 */

import * as module from 'node:module';

/** As `engines` in package.json. */
const oldest = 24;

if (Number.parseInt(process.versions.node, 10) < oldest) {
  process.stderr.write(
    `error: fleet needs Node ${oldest} or later; ${process.execPath} is ${process.version}. In a clone, "npm ci" installs one and "npx fleet" uses it.\n`,
  );
  process.exit(1);
}
const { directory } = module.enableCompileCache();
// For threads.
if (directory) process.env['NODE_COMPILE_CACHE'] ??= directory;
await import('./fleet.ts');

/** Prints what holds a credential: to a file of its own, or to standard output, with a warning where that is a file for others, too. */

import { fstatSync } from 'node:fs';

export function printCredential(text: string): void {
  const stats = fstatSync(process.stdout.fd);
  if (stats.isFile()) {
    const mode = `0${(stats.mode & 0o777).toString(8)}`;
    process.stderr.write(
      `Warning: a credential is written to a file of mode ${mode}; with --output FILE only its owner can read it\n`,
    );
  }
  process.stdout.write(text);
}

/** Prints a credential, and warns if standard output is a file that other users may read. */

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

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A directory for one test, removed after it. */
export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'fleet-store-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

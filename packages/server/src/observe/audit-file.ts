/** Where audit lines go: a file or standard output, written without anybody waiting for it. */

import { once } from 'node:events';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pino } from 'pino';

export interface AuditFile extends AsyncDisposable {
  write(line: string): void;
  /** After somebody has moved the file away. */
  reopen(): void;
}

/** What may wait to be written; more is lost, and told: a full disk must not fill the memory, too. */
const mostWaiting = 16 * 1024 * 1024;

export async function openAuditFile(path: string, onError: (error: Error) => void): Promise<AuditFile> {
  const stdout = path === '-';
  if (!stdout) await tryToOpen(path);
  const file = pino.destination({
    dest: stdout ? 1 : path,
    sync: false,
    mode: 0o600,
    maxLength: mostWaiting,
  });
  if (!stdout) await once(file, 'ready');
  file.on('error', onError);
  file.on('drop', () => onError(new Error('audit lines are lost: they come faster than they can be written')));
  return {
    write: (line) => {
      file.write(`${line}\n`);
    },
    reopen: () => {
      if (!stdout) file.reopen();
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => file.once('close', resolve).once('finish', resolve));
      file.end();
      await closed;
    },
  };
}

/** First by ourselves: pino flushes every file at exit, and throws there if it could never be opened. */
async function tryToOpen(path: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await (await open(path, 'a', 0o600)).close();
  } catch (cause) {
    throw new Error(`--audit-log: ${(cause as Error).message}`, { cause });
  }
}

/** Writes audit lines to a file or to standard output, without blocking requests. */

import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '@fleet/client/make-folder.ts';
import { pino } from 'pino';
import { removeOldest, renameFull } from './audit-backups.ts';

export interface AuditFile extends AsyncDisposable {
  write(line: string): void;
  /** Called after the file was moved. */
  reopen(): void;
}

/** In bytes: how much may wait to be written. More is dropped and logged, so that a full disk does not fill the memory. */
const mostWaiting = 16 * 1024 * 1024;

/** The size of a full file in bytes (0: never), and how many full files are kept (0: all). */
export interface Rotation {
  bytes: number;
  backups: number;
}

const never: Rotation = { bytes: 0, backups: 0 };

export async function openAuditFile(
  path: string,
  onError: (error: Error) => void,
  rotation = never,
): Promise<AuditFile> {
  const stdout = path === '-';
  let size = stdout ? 0 : await sizeOf(path);
  const file = pino.destination({
    dest: stdout ? 1 : path,
    sync: false,
    mode: 0o600,
    maxLength: mostWaiting,
  });
  if (!stdout) await once(file, 'ready');
  file.on('error', onError);
  file.on('drop', () => onError(new Error('audit lines are lost: they come faster than they can be written')));
  let rotating: Promise<void> | undefined;
  let ending = false;
  // Counts bytes of the current file. What waits in the buffer may go to the next.
  file.on('ready', () => {
    size = 0;
  });
  file.on('write', (bytes: number) => {
    size += bytes;
    if (isFull()) rotate();
  });
  const isFull = () => !stdout && !ending && rotation.bytes > 0 && size >= rotation.bytes;
  const rotate = () => {
    rotating ??= renameFull(path)
      .then(() => {
        // Reset also if the new file cannot be opened: rotation is tried again after as many bytes.
        size = 0;
        // It must not be moved or closed again before it is open.
        const opened = once(file, 'ready');
        file.reopen();
        return opened;
      })
      .then(() => removeOldest(path, rotation.backups))
      .then(
        () => {
          rotating = undefined;
          // What was written meanwhile may have filled the new file, with no later write to notice it.
          if (isFull()) rotate();
        },
        (error: Error) => {
          rotating = undefined;
          onError(error);
        },
      );
  };
  return {
    write: (line) => {
      file.write(`${line}\n`);
    },
    reopen: () => {
      if (!stdout) file.reopen();
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => file.once('close', resolve).once('finish', resolve));
      ending = true;
      await rotating;
      file.end();
      await closed;
    },
  };
}

/** Opened once here first: pino flushes every file at exit, and throws there if it could never be opened. */
async function sizeOf(path: string): Promise<number> {
  try {
    await makeFolder(dirname(path), 0o777);
    await using file = await open(path, 'a', 0o600);
    return (await file.stat()).size;
  } catch (cause) {
    throw new Error(`--audit-log: ${(cause as Error).message}`, { cause });
  }
}

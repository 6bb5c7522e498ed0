/** Opens the input and output files of redirections. */

import { resolvePath } from './files.ts';
import { longestPath } from './path-tree.ts';
import { type Input, inputOfText, noInput, type Write } from './streams.ts';
import type { Redirection } from './syntax.ts';
import { type FileFault, fileFaults, type WrittenFiles } from './written-files.ts';

/** A file that a command writes to is full. */
export class WriteFault extends Error {}

type Opened = { input: Input } | { write: Write } | { why: FileFault };

/** Paths that are too long are not resolved, which would take time, too. */
export const targetPath = (directory: string, name: string): string | undefined =>
  name.length > longestPath ? undefined : resolvePath(directory, name);

export function openTarget(
  files: WrittenFiles,
  directory: string,
  name: string,
  { isInput, isAppended }: Pick<Redirection, 'isInput' | 'isAppended'>,
): Opened {
  const path = targetPath(directory, name);
  if (path === undefined) return { why: fileFaults.tooLong };
  return isInput ? openInput(files, path) : openOutput(files, path, isAppended);
}

function openInput(files: WrittenFiles, path: string): Opened {
  const text = files.read(path);
  if (text !== undefined) return { input: inputOfText(text) };
  if (files.couldHold(path)) return { input: noInput };
  return { why: files.isDirectory(path) ? fileFaults.isDirectory : fileFaults.missing };
}

function openOutput(files: WrittenFiles, path: string, isAppended: boolean): Opened {
  const why = files.write(path, '', isAppended);
  if (why) return { why };
  return {
    async write(text) {
      const fault = files.write(path, text, true);
      if (fault) throw new WriteFault(fault);
    },
  };
}

/** Commands that change a container's files, independent of the shell, as the run time of a container is computed with them, too. */

import { resolvePath } from '../files.ts';
import { type FileFault, fileFaults, type WrittenFiles } from '../written-files.ts';

export const fileCommands = ['touch', 'mkdir', 'rm', 'cp', 'mv', 'chmod'] as const;
export type FileCommand = (typeof fileCommands)[number];

/** Yields each argument's error, with BusyBox's text, or undefined: the caller can yield to the event loop between many arguments. */
export function* changeFiles(
  command: FileCommand,
  args: readonly string[],
  directory: string,
  files: WrittenFiles,
): Generator<string | undefined> {
  const flags = args.filter((one) => /^-./.test(one)).join('');
  const paths = args.filter((one) => !/^-./.test(one));
  const at = (path: string): string => resolvePath(directory, path);
  const isForced = /f/.test(flags);
  if (paths.length === 0 && !(command === 'rm' && isForced)) {
    yield 'missing operand';
    return;
  }
  switch (command) {
    case 'touch':
      for (const path of paths) yield errorText(path, files.touch(at(path)));
      return;
    case 'mkdir':
      for (const path of paths) {
        const isSpared = flags.includes('p') && files.isDirectory(at(path));
        yield isSpared ? undefined : errorText(`can't create directory '${path}'`, files.makeDirectory(at(path)));
      }
      return;
    case 'rm':
      for (const path of paths) {
        const isWhole = /[rR]/.test(flags);
        if (!isWhole && files.isDirectory(at(path))) yield `'${path}' is a directory`;
        else {
          const fault = files.remove(at(path));
          const isSpared = fault === fileFaults.missing && (isForced || files.couldHold(at(path)));
          yield isSpared ? undefined : errorText(`can't remove '${path}'`, fault);
        }
      }
      return;
    case 'cp':
    case 'mv':
      yield* copy(command, paths, at, files);
      return;
    case 'chmod':
      for (const path of paths.slice(1)) {
        const isThere = exists(files, at(path)) || files.couldHold(at(path));
        yield isThere ? undefined : errorText(path, fileFaults.missing);
      }
  }
}

const errorText = (what: string, fault: FileFault | undefined): string | undefined => fault && `${what}: ${fault}`;

const exists = (files: WrittenFiles, path: string): boolean =>
  files.isDirectory(path) || files.size(path) !== undefined;

/** Copies only files: directories are skipped. */
function* copy(
  command: 'cp' | 'mv',
  paths: readonly string[],
  at: (path: string) => string,
  files: WrittenFiles,
): Generator<string | undefined> {
  const target = paths.at(-1)!;
  const sources = paths.slice(0, -1);
  if (sources.length === 0) yield 'missing operand';
  // Resolved once: it may be as long as all source names together. It does not change, as only files are moved.
  const to = at(target);
  const intoDirectory = files.isDirectory(to) ? to.replace(/^\/$/, '') : undefined;
  for (const source of sources) {
    const from = at(source);
    const into = intoDirectory === undefined ? to : `${intoDirectory}${from.slice(from.lastIndexOf('/'))}`;
    const text = files.read(from) ?? (files.couldHold(from) ? '' : undefined);
    if (text === undefined) {
      yield files.isDirectory(from)
        ? `'${source}': directories are not supported in simulated pods`
        : `can't ${command === 'cp' ? 'stat' : 'rename'} '${source}': ${fileFaults.missing}`;
    } else if (from !== into) {
      const fault = files.write(into, text, false);
      if (command === 'mv' && !fault) files.remove(from);
      yield errorText(`can't create '${target}'`, fault);
    } else yield undefined;
  }
}

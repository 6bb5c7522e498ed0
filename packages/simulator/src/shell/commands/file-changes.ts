/** What commands change of the files of a container, without the shell: how long a container runs is computed with it, too. */

import { resolvePath } from '../files.ts';
import { type FileFault, fileFaults, type WrittenFiles } from '../written-files.ts';

export const fileCommands = ['touch', 'mkdir', 'rm', 'cp', 'mv', 'chmod'] as const;
export type FileCommand = (typeof fileCommands)[number];

/** After each argument its error, in the words of BusyBox, or undefined: there may be many, and others must be served meanwhile. */
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
      for (const path of paths) yield said(path, files.touch(at(path)));
      return;
    case 'mkdir':
      for (const path of paths) {
        const isSpared = flags.includes('p') && files.isDirectory(at(path));
        yield isSpared ? undefined : said(`can't create directory '${path}'`, files.makeDirectory(at(path)));
      }
      return;
    case 'rm':
      for (const path of paths) {
        const isWhole = /[rR]/.test(flags);
        if (!isWhole && files.isDirectory(at(path))) yield `'${path}' is a directory`;
        else {
          const fault = files.remove(at(path));
          const isSpared = fault === fileFaults.missing && (isForced || files.mayHold(at(path)));
          yield isSpared ? undefined : said(`can't remove '${path}'`, fault);
        }
      }
      return;
    case 'cp':
    case 'mv':
      yield* copy(command, paths, at, files);
      return;
    case 'chmod':
      for (const path of paths.slice(1)) {
        const isThere = exists(files, at(path)) || files.mayHold(at(path));
        yield isThere ? undefined : said(path, fileFaults.missing);
      }
  }
}

const said = (what: string, fault: FileFault | undefined): string | undefined => fault && `${what}: ${fault}`;

const exists = (files: WrittenFiles, path: string): boolean =>
  files.isDirectory(path) || files.size(path) !== undefined;

/** Of files alone: directories are left out. */
function* copy(
  command: 'cp' | 'mv',
  paths: readonly string[],
  at: (path: string) => string,
  files: WrittenFiles,
): Generator<string | undefined> {
  const target = paths.at(-1)!;
  const sources = paths.slice(0, -1);
  if (sources.length === 0) yield 'missing operand';
  // Once: it may be as long as the names of all sources together. What it is does not change, as only files are moved.
  const to = at(target);
  const intoDirectory = files.isDirectory(to) ? to.replace(/^\/$/, '') : undefined;
  for (const source of sources) {
    const from = at(source);
    const into = intoDirectory === undefined ? to : `${intoDirectory}${from.slice(from.lastIndexOf('/'))}`;
    const text = files.read(from) ?? (files.mayHold(from) ? '' : undefined);
    if (text === undefined) {
      yield files.isDirectory(from)
        ? `'${source}': directories are not supported in simulated pods`
        : `can't ${command === 'cp' ? 'stat' : 'rename'} '${source}': ${fileFaults.missing}`;
    } else if (from !== into) {
      const fault = files.write(into, text, false);
      if (command === 'mv' && !fault) files.remove(from);
      yield said(`can't create '${target}'`, fault);
    } else yield undefined;
  }
}

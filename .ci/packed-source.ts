/** TypeScript as it is packed for npm: Node strips no types below `node_modules`, so the types go and each import names a `.js` file. */

import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative } from 'node:path/posix';

export interface PackedSource {
  text: string;
  /** Files of the repository that it loads: imports, threads, processes. */
  uses: string[];
}

/** What imports and URLs name: a path from this file, or one in a package of the workspace. */
const named = /(['"])((?:\.{1,2}|@fleet\/[a-z]+)\/[\w./-]+)\.ts\1/g;
const beside = /(new URL\((['"]))([\w-][\w./-]*\.ts\2)/g;
const inWorkspace = /^@fleet\/([a-z]+)\/(.*)$/;

/** `path` is that of the file in the repository, such as `packages/cli/src/fleet.ts`. */
export function packSource(path: string, text: string): PackedSource {
  const uses = new Set<string>();
  const folder = dirname(path);
  const stripped = path.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
  const packed = stripped.replace(beside, '$1./$3').replace(named, (_, quote: string, specifier: string) => {
    const [, pkg, file] = inWorkspace.exec(specifier) ?? [];
    const target = pkg ? `packages/${pkg}/src/${file}` : join(folder, specifier);
    uses.add(`${target}.ts`);
    const from = relative(folder, target);
    return `${quote}${from.startsWith('.') ? from : `./${from}`}.js${quote}`;
  });
  return { text: packed, uses: [...uses] };
}

/** Which packages of others the product needs, by the lockfile. Optional ones are left out: they need a compiler. */

interface Locked {
  version?: string;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  link?: boolean;
}

export interface Lockfile {
  packages: Record<string, Locked>;
}

/** Paths such as `node_modules/a/node_modules/b`, of all that the named ones need, too. */
export function thirdParty({ packages }: Lockfile, names: readonly string[]): string[] {
  const found = new Set<string>();
  const visit = (name: string, from: string) => {
    const path = resolve(packages, name, from);
    if (found.has(path)) return;
    found.add(path);
    const { dependencies, peerDependencies = {}, peerDependenciesMeta } = packages[path]!;
    const peers = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta?.[peer]?.optional);
    for (const needed of [...Object.keys(dependencies ?? {}), ...peers]) visit(needed, path);
  };
  for (const name of names) visit(name, '');
  return [...found].sort();
}

/** As Node looks it up: in the folder of whoever needs it, then in those above. */
function resolve(packages: Lockfile['packages'], name: string, from: string): string {
  for (let folder = from; ; ) {
    const path = `${folder ? `${folder}/` : ''}node_modules/${name}`;
    if (packages[path]) return path;
    if (!folder) throw new Error(`${name} is not in the lockfile`);
    const above = folder.lastIndexOf('/node_modules/');
    folder = above < 0 ? '' : folder.slice(0, above);
  }
}

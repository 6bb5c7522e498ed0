/**
 * Completes package-lock.json with the optional packages of other platforms.
 *
 * A registry that mirrors only some platforms makes `npm install` leave the others out of the lockfile, and `npm ci`
 * then refuses it everywhere. Their versions stand in their parents' entries and their platforms in their names; on
 * this platform they are never fetched.
 */

import { readFileSync, writeFileSync } from 'node:fs';

interface Entry {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

const among = (known: readonly string[], parts: readonly string[]): string[] =>
  known.filter((one) => parts.includes(one));

function entryFor(name: string, version: string, parent: Entry): Entry {
  const parts = name.split(/[/-]/);
  const os = among(systems, parts);
  const cpu = among(processors, parts);
  if (os.length === 0 && cpu.length === 0) throw new Error(`${name}: its name has no platform`);
  const libc = parts.some((part) => part.startsWith('musl'))
    ? ['musl']
    : parts.some((part) => part.startsWith('gnu'))
      ? ['glibc']
      : [];
  return {
    version,
    ...(cpu.length > 0 ? { cpu } : {}),
    ...(parent.dev ? { dev: true } : {}),
    ...(libc.length > 0 ? { libc } : {}),
    optional: true,
    ...(os.length > 0 ? { os } : {}),
  };
}

const path = 'package-lock.json';
const lock = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, Entry> };
const added: string[] = [];
for (const [at, parent] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const known = lock.packages[`node_modules/${name}`] ?? lock.packages[`${at}/node_modules/${name}`];
    if (known) continue;
    lock.packages[`node_modules/${name}`] = entryFor(name, version, parent);
    added.push(name);
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added.length} packages of other platforms added to ${path}`);

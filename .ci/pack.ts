/**
 * `npm run pack [FOLDER]`: the product as one tarball for `npm install -g`, in `build` or the named folder. It has everything in it, of the
 * versions of the lockfile: its installation fetches nothing and compiles nothing.
 */

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { packSource } from './packed-source.ts';
import { type Lockfile, thirdParty } from './third-party.ts';

interface Manifest {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
  [field: string]: unknown;
}

const root = join(import.meta.dirname, '..');
const start = 'packages/cli/src/fleet.mjs';
const readJson = <T>(path: string): T => JSON.parse(readFileSync(join(root, path), 'utf8')) as T;
/** In packages of others. */
const unused = ['node_modules', 'test', 'tests', 'docs', 'benchmark', 'benchmarks', 'example', 'examples', '.github'];

const staging = mkdtempSync(join(tmpdir(), 'fleet-pack-'));
try {
  const destination = resolve(process.argv[2] ?? join(root, 'build'));
  mkdirSync(destination, { recursive: true });
  stage();
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', destination];
  const file = execFileSync('npm', args, { cwd: staging, encoding: 'utf8' }).trim();
  console.log(join(destination, file));
} finally {
  rmSync(staging, { recursive: true });
}

function stage(): void {
  const files = stageSources();
  const workspace = [...new Set(files.map((file) => file.split('/')[1]!))].sort();
  const manifests = workspace.map((name) => readJson<Manifest>(`packages/${name}/package.json`));
  for (const [index, name] of workspace.entries()) stagePackage(name, manifests[index]!);
  const names = manifests.flatMap(({ dependencies = {} }) => Object.keys(dependencies));
  const others = [...new Set(names.filter((name) => !name.startsWith('@fleet/')))].sort();
  const lockfile = readJson<Lockfile>('package-lock.json');
  for (const path of thirdParty(lockfile, others)) stageThirdParty(path);
  const { name, version, description, license, engines } = readJson<Manifest>('package.json');
  write('package.json', {
    name,
    version,
    description,
    license,
    type: 'module',
    engines,
    bin: { fleet: start },
    dependencies: Object.fromEntries(others.map((one) => [one, lockfile.packages[`node_modules/${one}`]!.version])),
    bundleDependencies: others,
  });
  for (const file of ['LICENSE', 'README.md', 'CHANGELOG.md']) copy(file);
}

/** What the command loads, and what that loads. */
function stageSources(): string[] {
  const staged = new Set([start]);
  for (const path of staged) {
    const { text, uses } = packSource(path, readFileSync(join(root, path), 'utf8'));
    write(path.replace(/\.ts$/, '.js'), text);
    for (const used of uses) staged.add(used);
  }
  return [...staged];
}

function stagePackage(folder: string, { name, version, license, type }: Manifest): void {
  write(`packages/${folder}/package.json`, { name, version, private: true, license, type });
  if (existsSync(join(root, `packages/${folder}/manifests`))) copy(`packages/${folder}/manifests`);
}

/** Without its scripts, which compile, and without what does not run: an installation writes each file. */
function stageThirdParty(path: string): void {
  const from = join(root, path);
  const isUnused = (source: string) =>
    (dirname(source) === from && unused.includes(basename(source))) || /\.(map|[cm]?ts|flow)$/.test(source);
  cpSync(from, join(staging, path), { recursive: true, filter: (source) => !isUnused(source) });
  const {
    scripts: _,
    optionalDependencies: _optional,
    devDependencies: _dev,
    ...manifest
  } = readJson<Manifest>(`${path}/package.json`);
  write(`${path}/package.json`, manifest);
}

function copy(path: string): void {
  cpSync(join(root, path), join(staging, path), { recursive: true });
}

function write(path: string, content: string | object): void {
  const to = join(staging, path);
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
}

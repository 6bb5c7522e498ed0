/** The documentation against what it describes: links, flags, permissions, licences. */

import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheGrant, federationGrant, grantOf, grants, kindsGrants } from '@fleet/cli/join/grants.ts';
import type { Manifest } from '@fleet/cli/join/manifest.ts';
import {
  accounts,
  memberNamespace,
  serviceAccount,
  tokenSecret,
  unownedKindsPermissions,
  unownedPermissions,
} from '@fleet/cli/join/member-objects.ts';
import { createProgram } from '@fleet/cli/program.ts';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';

const root = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const documents = globSync(['*.md', '{docs,packages,test}/**/*.md'], {
  cwd: root,
  exclude: (path) => path.includes('node_modules'),
});

const withoutCode = (markdown: string): string => markdown.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');

/** As code hosts make anchors of headings. */
const anchorsOf = (markdown: string): string[] =>
  [...markdown.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- ]/gu, '')
      .replaceAll(' ', '-'),
  );

/** What is wrong with a link, if anything. */
function flawOf(document: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? document : join(dirname(document), path);
  if (!existsSync(join(root, target))) return `${link}: no such file`;
  if (anchor !== undefined && !anchorsOf(read(target)).includes(anchor)) return `${link}: no such heading`;
  return undefined;
}

describe('links', () => {
  test.each(documents)('%s', (document) => {
    const links = [...withoutCode(read(document)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
    const internal = links.filter((link) => !/^[a-z]+:/.test(link));
    expect(internal.flatMap((link) => flawOf(document, link) ?? [])).toEqual([]);
  });

  test('every page of docs/ is reached from its index', () => {
    const index = read('docs/README.md');
    const pages = documents.filter((path) => path.startsWith('docs/') && path !== 'docs/README.md');
    expect(pages.filter((path) => !index.includes(`](${path.slice('docs/'.length)})`))).toEqual([]);
  });

  test('a dead link and a dead anchor are seen', () => {
    expect(flawOf('README.md', 'docs/nowhere.md')).toBe('docs/nowhere.md: no such file');
    expect(flawOf('docs/README.md', '../README.md#nowhere')).toBe('../README.md#nowhere: no such heading');
  });
});

describe('SECURITY.md', () => {
  const page = read('SECURITY.md').replace(/\s+/g, ' ');
  const [, absent = ''] = page.split('## What is not there');

  test('names the limits and the audit log, and denies neither', () => {
    for (const flag of [
      '--max-requests-inflight',
      '--max-mutating-requests-inflight',
      '--max-member-requests-inflight',
    ])
      expect(page).toContain(flag);
    expect(page).toContain('--audit-log');
    expect(absent).not.toMatch(/audit|limits of its own|number or size/);
  });

  test('states that whoever is allowed to update Clusters holds the members’ credentials', () => {
    expect(page).toMatch(/Whoever may create, update or patch Clusters there holds the members' credentials/);
    expect(page).toContain('docs/guides/joining-clusters.md#who-may-change-clusters');
    expect(read('docs/guides/joining-clusters.md')).toContain("holds the members' credentials");
  });
});

type Command = ReturnType<typeof createProgram>;

describe('flags', () => {
  /** With the words before it, as in `fleet agent token rotate`. */
  const below = (command: Command, words: string): [string, Command][] =>
    command.commands.flatMap((one) => [[`${words} ${one.name()}`, one], ...below(one, `${words} ${one.name()}`)]);
  const commands = below(createProgram(), 'fleet');
  const serve = new Map(commands).get('fleet serve')!;
  const rows = read('docs/reference/configuration.md').split('\n');

  test.each(serve.options)('fleet serve $flags', ({ flags, defaultValue }) => {
    const row = rows.find((line) => line.startsWith(`| \`${flags}\` |`));
    expect(row).toBeDefined();
    if (defaultValue !== undefined) expect(row).toContain(`\`${defaultValue}\``);
  });

  const documented = commands.filter(([, command]) => command !== serve && command.options.length > 0);
  test.each(documented)('%s', (words, command) => {
    const page = read('docs/reference/cli.md');
    const start = page.search(new RegExp(`^## \`${words}(?: [<[]|\`| --)`, 'm'));
    expect(start).toBeGreaterThan(0);
    const section = page.slice(start).split('\n## ')[0]!;
    expect(command.options.map(({ flags }) => flags).filter((flags) => !section.includes(`\`${flags}\``))).toEqual([]);
  });
});

test('IMP-6: every role that join makes is in the list of permissions', () => {
  const page = read('docs/reference/member-permissions.md');
  const all = [...grants, ...kindsGrants.map((grant) => grantOf(grant, []))];
  expect(all.filter(({ role, account }) => !page.includes(`| \`${role}\` | ${account} |`))).toEqual([]);
});

describe('YAML for joining without the command makes in a member what `fleet join` makes', () => {
  /** Of the first block behind a text. */
  const objectsAfter = (path: string, text: string): Manifest[] => {
    const [, behind] = read(path).split(text);
    const [, block = ''] = /^```yaml\n([\s\S]*?)^```$/m.exec(behind ?? '') ?? [];
    return parseAllDocuments(block).map((document) => document.toJS() as Manifest);
  };
  const withoutLabels = ({ metadata: { labels: _, ...metadata }, ...object }: Manifest) => ({ ...object, metadata });
  const group = (resource: string, name = '') => ({ group: name, resource });

  test('IMP-6: accounts, tokens and permissions', () => {
    const expected = [
      memberNamespace,
      ...accounts.flatMap((account) => [serviceAccount(account), tokenSecret(account)]),
      ...unownedPermissions({ bindAdmins: true }),
    ].map(({ object }) => withoutLabels(object));
    const shown = objectsAfter('docs/guides/joining-clusters.md', '## By YAML');
    expect(shown.length).toBe(expected.length);
    expect(shown).toEqual(expect.arrayContaining(expected));
  });

  test.each([
    [cacheGrant, [group('pods'), group('deployments', 'apps')], '## The cache'],
    [federationGrant, [group('configmaps'), group('deployments', 'apps')], '## Federation'],
  ])('IMP-6: $role', (grant, kinds, heading) => {
    const expected = unownedKindsPermissions(grant, kinds).map(({ object }) => withoutLabels(object));
    expect(objectsAfter('docs/reference/member-permissions.md', heading)).toEqual(expected);
  });
});

describe('dependencies', () => {
  const page = read('docs/reference/dependencies.md').split('\n');
  const named = globSync(['package.json', '{packages,test}/*/package.json'], { cwd: root }).flatMap((path) => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read(path)) as Record<string, object>;
    return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  });
  const foreign = [...new Set(named)].filter((name) => !name.startsWith('@fleet/'));

  test.each(foreign)('%s has a line with its licence', (name) => {
    const row = page.find((line) => line.startsWith('| `') && line.split('|')[1]!.includes(`\`${name}\``));
    expect(row).toBeDefined();
    // One for another processor is not installed.
    if (!existsSync(join(root, 'node_modules', name))) return;
    // Older packages have a list instead.
    const { license, licenses } = JSON.parse(read(`node_modules/${name}/package.json`)) as {
      license?: string;
      licenses?: { type: string }[];
    };
    expect(row).toContain(`| ${license ?? licenses?.[0]?.type} |`);
  });
});

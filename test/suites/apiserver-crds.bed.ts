/** CustomResourceDefinitions, rules and custom resources, against a real kube-apiserver: the same answers (COMPAT-4). */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubectlOptions, KubectlResult } from '@fleet/bed/kubectl.ts';
import { type Member, startMember } from '@fleet/bed/member.ts';
import type { Mutant } from '@fleet/bed/mutant.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mutants } from './apiserver-crds/mutants.ts';
import { ruleCases, transitionCases, wrongRules } from './apiserver-crds/rules.ts';
import { answersTo } from './apiserver-crds/scenario.ts';
import { shown } from './apiserver-crds/shown.ts';
import { Side } from './apiserver-crds/side.ts';
import { widgets } from './apiserver-crds/widgets.ts';
import { ServerProcess } from './embedded/server-process.ts';

const parts = ['definitions', 'rules', 'objects'];
const folders: string[] = [];
const newFolder = (): string => {
  folders.push(mkdtempSync(join(tmpdir(), 'fleet-crds-')));
  return folders.at(-1)!;
};

let member: Member;
beforeAll(async () => {
  member = await startMember({ name: 'crds', nodes: 0 });
}, 120_000);
afterAll(async () => {
  await member?.[Symbol.asyncDispose]();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Ours begins anew each time, so must the other. */
const cleared = () => member.kubectl('delete', 'crd', '--all', '--timeout=60s');

/** By what was asked. */
async function answersOf(side: Side, parts: readonly string[]): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for await (const { what, answer } of answersTo(side, parts)) answers.set(what, shown(answer));
  return answers;
}

async function ourAnswers(parts: readonly string[], mutant?: Mutant): Promise<Map<string, string>> {
  await using server = await ServerProcess.start(newFolder(), mutant);
  await using side = new Side({ url: server.url });
  return await answersOf(side, parts);
}

describe('COMPAT-4: CustomResourceDefinitions', () => {
  const sound = new Map<string, Map<string, string>>();

  test.each(parts)('%s are answered as by kube-apiserver', { timeout: 180_000 }, async (part) => {
    await cleared();
    await using theirs = new Side({ url: member.server, ca: member.ca, ...member.admin });
    const [real, ours] = await Promise.all([answersOf(theirs, [part]), ourAnswers([part])]);
    sound.set(part, ours);
    console.log(`${part}: ${real.size} answers compared`);
    expect(real.size).toBeGreaterThan(50);
    const differences = [...real].filter(([what, answer]) => ours.get(what) !== answer);
    expect(
      differences.map(([what, answer]) => `${what}\n  kube-apiserver ${answer}\n  ours           ${ours.get(what)}`),
    ).toEqual([]);
  });

  test('rules are kept and broken, and refused', () => {
    expect(ruleCases.length + transitionCases.length).toBeGreaterThanOrEqual(60);
    expect(wrongRules.length).toBeGreaterThan(20);
    const codes = [...sound.get('rules')!].map(([what, answer]) => [what.split(' ')[0], JSON.parse(answer).code]);
    expect(codes.filter(([which, code]) => which === 'good' && code >= 300)).toEqual([]);
    expect(codes.filter(([which, code]) => which === 'bad' && code !== 422)).toEqual([]);
  });

  test.each(mutants)('negative control: $name', { timeout: 120_000 }, async ({ part, mutant }) => {
    const sick = await ourAnswers([part], mutant);
    const noticed = [...sound.get(part)!].filter(([what, answer]) => sick.get(what) !== answer);
    expect(noticed.length).toBeGreaterThan(0);
  });
});

describe('COMPAT-1: kubectl and custom resources', () => {
  const manifest = (name: string, spec: object) => ({
    stdin: JSON.stringify({ apiVersion: 'crds.example.com/v1', kind: 'Widget', metadata: { name }, spec }),
  });
  const commands: readonly (string | KubectlOptions)[][] = [
    ['apply', '-f', '-', { stdin: JSON.stringify(widgets) }],
    ['wait', '--for=condition=Established', '--timeout=60s', 'crd/widgets.crds.example.com'],
    ['create', '-f', '-', manifest('a', { color: 'red', items: [{ key: 'b', value: 'c' }] })],
    ['create', '-f', '-', manifest('b', { color: 'pink' })],
    ['create', '-f', '-', manifest('b', { color: 'red', odd: 1 })],
    ['get', 'wd'],
    ['get', 'widgets', '-o', 'wide'],
    ['get', 'widgets', '-o', 'name'],
    ['get', 'widgets.crds.example.com', 'a', '-o', 'jsonpath={.spec}'],
    ['get', 'all', '-o', 'name', '-l', 'nobody=has'],
    ['scale', 'widget/a', '--replicas=3'],
    ['patch', 'wd', 'a', '--type=merge', '-p', '{"spec":{"size":9}}'],
    ['patch', 'wd', 'a', '--type=merge', '-p', '{"spec":{"color":"blue"}}'],
    ['patch', 'wd', 'a', '-p', '{"spec":{"size":9}}'],
    ['patch', 'wd', 'a', '--subresource=status', '--type=merge', '-p', '{"status":{"phase":"Good"}}'],
    ['label', 'wd', 'a', 'x=y'],
    ['apply', '--server-side', '-f', '-', manifest('a', { color: 'red', size: 2 })],
    ['apply', '-f', '-', manifest('c', { color: 'green' })],
    ['apply', '-f', '-', manifest('c', { color: 'green', size: 4 })],
    ['explain', 'widget.spec.color'],
    ['explain', 'wd.spec'],
    ['delete', 'wd', '--all'],
    ['delete', 'crd', 'widgets.crds.example.com'],
  ];

  test('kubectl prints the same of both', { timeout: 180_000 }, async () => {
    await cleared();
    await using server = await ServerProcess.start(newFolder());
    const plain = ({ code, stdout, stderr }: KubectlResult) => ({ code, stdout, stderr });
    const [theirs, ours]: ReturnType<typeof plain>[][] = [[], []];
    for (const command of commands) {
      theirs!.push(plain(await member.kubectl(...command)));
      ours!.push(plain(await server.kubectl(...command)));
    }
    for (const [index, command] of commands.entries()) expect(ours![index], command.join(' ')).toEqual(theirs![index]);
  });
});

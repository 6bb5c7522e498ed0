/** Common mistakes with workload kinds are refused as kube-apiserver refuses them: code, reason, causes and message (COMPAT-4). */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memberAdmission } from '@fleet/apiserver/admission/admission.ts';
import { asEmbedded, basicControllers } from '@fleet/bed/control-plane.ts';
import { type Member, startMember } from '@fleet/bed/member.ts';
import type { Mutant } from '@fleet/bed/mutant.ts';
import { Connection } from '@fleet/differential/connection.ts';
import { layNamespace } from '@fleet/differential/ground.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connected } from './apiserver-mistakes/connected.ts';
import { askKubeRules } from './apiserver-mistakes/kube-rules.ts';
import { type Answers, type Recorded, readRecorded, recordable, writeRecorded } from './apiserver-mistakes/recorded.ts';
import { disagreements, mistakes, namespace, tryMistakes } from './apiserver-mistakes/try-mistakes.ts';
import { ServerProcess } from './embedded/server-process.ts';

const timeout = 300_000;

let member: Member;
const folders: string[] = [];

beforeAll(async () => {
  // no controller of workloads: nobody but the suite changes what it makes
  member = await startMember({
    name: 'mistakes',
    nodes: 0,
    controllers: basicControllers,
    extraApiserverFlags: asEmbedded,
  });
});

afterAll(async () => {
  await member?.[Symbol.asyncDispose]();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function answersOf(url: string, trust: object): Promise<Answers> {
  await using connection = new Connection({ url, ...trust });
  await layNamespace(connection, namespace);
  return await tryMistakes(connected(connection), mistakes);
}

async function embedded(mutant?: Mutant): Promise<Answers> {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-mistakes-'));
  folders.push(folder);
  await using server = await ServerProcess.startAs(folder, { mutant, admission: memberAdmission });
  return await answersOf(server.url, {});
}

test('kube-apiserver refuses them as recorded', { timeout }, async () => {
  const answers = await answersOf(member.server, { ca: member.ca, ...member.admin });
  if (process.env['MISTAKES'] === 'write') writeRecorded(answers);
  expect([...answers.values()].filter((answer) => typeof answer === 'object').length).toBeGreaterThanOrEqual(150);
  expect(answers).toEqual(readRecorded());
});

test("Kubernetes' own code alone returns the same, but for what admission and the store of Services do", async () => {
  const answers = await askKubeRules(mistakes.map(({ request }) => ({ ...request, namespace })));
  const ruled = mistakes.map(({ name }, at): [string, Recorded] => {
    const { status, error = 'accepted' } = answers[at]!;
    return [name, status ? recordable(status) : error];
  });
  const recorded = readRecorded();
  const isOthers = ([name]: [string, Recorded]) => {
    const answer = recorded.get(name);
    return name.startsWith('v1 Service:') || (typeof answer === 'object' && answer.reason === 'Forbidden');
  };
  expect(disagreements(new Map(ruled.filter((entry) => !isOthers(entry))), recorded)).toEqual([]);
});

test('COMPAT-4: the embedded API server refuses them in the same way', { timeout }, async () => {
  const found = disagreements(await embedded(), readRecorded());
  for (const one of found) console.log(one);
  expect(found.length, `of ${mistakes.length}`).toBe(0);
});

test('negative control: a text that is another is noticed', { timeout }, async () => {
  const file = 'apiserver/src/errors/field-error.ts';
  const mutant = { file, from: "FieldValueRequired: 'Required value'", to: "FieldValueRequired: 'Required'" };
  expect(disagreements(await embedded(mutant), await embedded()).length).toBeGreaterThan(0);
});

/** Who may do what: the embedded API server and kube-apiserver decide alike. */

import { readFile, writeFile } from 'node:fs/promises';
import { policyFile, policyModule } from '@fleet/apiserver/rbac/bootstrap-policy.build.ts';
import { startMember } from '@fleet/bed/member.ts';
import { expect, test } from 'vitest';

test('AUTHZ-1: the bootstrap policy is what kube-apiserver makes', { timeout: 180_000 }, async () => {
  await using member = await startMember({ name: 'policy', nodes: 0 });
  const made = await policyModule(async (path) => JSON.parse((await member.api.ask(path)).body));
  if (process.env['POLICY'] === 'write') await writeFile(policyFile, made);
  expect(await readFile(policyFile, 'utf8')).toBe(made);
});

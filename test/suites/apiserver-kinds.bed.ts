/** The built-in kinds that are checked in are those of the newest Kubernetes. */

import { readFile, writeFile } from 'node:fs/promises';
import {
  type Ask,
  resourcesFile,
  resourcesModule,
  typesFile,
  typesModule,
} from '@fleet/apiserver/schema/kinds.build.ts';
import { startMember } from '@fleet/bed/member.ts';
import { Connection } from '@fleet/differential/connection.ts';
import { expect, test } from 'vitest';

test('COMPAT-4: types, discovery and columns are what kube-apiserver says', { timeout: 180_000 }, async () => {
  await using member = await startMember({ name: 'kinds', nodes: 0 });
  const { server: url, ca, admin } = member;
  await using connection = new Connection({ url, ca, ...admin });
  const ask: Ask = async (target, accept) => {
    const { pathname, searchParams } = new URL(target, url);
    const query = [...searchParams];
    const { status, body } = await connection.send({ method: 'GET', path: pathname, query, headers: { accept } });
    expect(status, target).toBe(200);
    return JSON.parse(body.toString());
  };
  for (const [file, made] of [
    [typesFile, await typesModule(ask)],
    [resourcesFile, await resourcesModule(ask)],
  ] as const) {
    if (process.env['KINDS'] === 'write') await writeFile(file, made);
    expect(await readFile(file, 'utf8')).toBe(made);
  }
});

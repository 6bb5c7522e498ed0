/** Built-in kinds are those of the newest Kubernetes, and their cells what kube-apiserver prints, of objects with all that their types allow. */

import { readFile, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { builtInKinds } from '@fleet/apiserver/kinds/built-in-kinds.ts';
import type { KubeObject } from '@fleet/apiserver/registry/kube-object.ts';
import { type PrintedKind, plainColumns } from '@fleet/apiserver/registry/printed-kind.ts';
import {
  type Ask,
  resourcesFile,
  resourcesModule,
  typesFile,
  typesModule,
} from '@fleet/apiserver/schema/kinds.build.ts';
import { anySeed } from '@fleet/bed/any-seed.ts';
import { writeObject } from '@fleet/bed/etcd.ts';
import { type Member, startMember } from '@fleet/bed/member.ts';
import { Connection } from '@fleet/differential/connection.ts';
import { Random } from '@fleet/differential/random.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomObject } from './apiserver-kinds/random-object.ts';

const seed = process.env['TABLES_SEED'] ?? String(anySeed());
const count = Number(process.env['TABLES_COUNT'] ?? 20);

/** Compared by the differential; and what would lead the server itself astray. */
const left = [
  ...['apiservices', 'flowschemas', 'prioritylevelconfigurations'],
  ...['configmaps', 'secrets', 'serviceaccounts', 'namespaces', 'events', 'leases'],
  ...['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'],
];

const kinds = builtInKinds().filter(({ resource }) => !left.includes(resource));

/** Where it is in etcd, if not under its own name. */
const folders: Record<string, string> = {
  services: 'services/specs',
  endpoints: 'services/endpoints',
  nodes: 'minions',
  ingresses: 'ingress',
  replicationcontrollers: 'controllers',
};

let member: Member;
let connection: Connection;

beforeAll(async () => {
  member = await startMember({ name: 'kinds', nodes: 0 });
  connection = new Connection({ url: member.server, ca: member.ca, ...member.admin });
});

afterAll(async () => {
  await connection?.[Symbol.asyncDispose]();
  await member?.[Symbol.asyncDispose]();
});

interface Row {
  cells: unknown[];
  object: KubeObject;
}

/** What kube-apiserver cannot print (it takes some fields for granted) is left out. */
async function printed(kind: PrintedKind, random: Random): Promise<Row[]> {
  const { group, version, resource, namespaced } = kind;
  const apiVersion = group ? `${group}/${version}` : version;
  const base = `${group ? `/apis/${group}` : '/api'}/${version}/${namespaced ? 'namespaces/tables/' : ''}${resource}`;
  const rows: Row[] = [];
  for (let number = 0; number < count; number++) {
    const name = `tables-${number}`;
    const object = randomObject(random, apiVersion, kind.kind);
    const metadata = {
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...(object['metadata'] as object),
      name,
      uid: name,
      namespace: namespaced ? 'tables' : undefined,
    };
    const key = `${folders[resource] ?? resource}/${namespaced ? 'tables/' : ''}${name}`;
    await writeObject(member.dir, key, { ...object, metadata });
    const { status, body } = await connection.send({
      method: 'GET',
      path: `${base}/${name}`,
      query: [['includeObject', 'Object']],
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    });
    if (status === 200) rows.push(...(JSON.parse(body.toString()) as { rows: Row[] }).rows);
  }
  return rows;
}

test('COMPAT-4: types, discovery and columns are those of kube-apiserver', { timeout: 180_000 }, async () => {
  const ask: Ask = async (target, accept) => {
    const { pathname, searchParams } = new URL(target, member.server);
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

type Columns = NonNullable<PrintedKind['columns']>;

/** Rows in which our cells are not kube-apiserver's. */
const misprinted = (rows: readonly Row[], columns: Columns) =>
  rows.flatMap(({ cells, object }) => {
    const ours = columns.map(({ cell }) => cell(object, Date.now()));
    const theirs = cells.slice(0, columns.length);
    return isDeepStrictEqual(ours, theirs) ? [] : [{ ours, theirs, object }];
  });

test.each(kinds.map((kind) => [`${kind.group}/${kind.resource}`, kind] as const))(
  'COMPAT-4: %s has the cells that kube-apiserver prints',
  { timeout: 60_000 },
  async (name, kind) => {
    const rows = await printed(kind, new Random(`${seed}/${name}`));
    expect(rows.length, `seed ${seed}`).toBeGreaterThan(count / 2);
    expect(misprinted(rows, kind.columns ?? plainColumns), `seed ${seed}`).toEqual([]);
  },
);

test('negative control: a cell that is made otherwise is noticed', { timeout: 60_000 }, async () => {
  const pods = kinds.find(({ resource }) => resource === 'pods')!;
  const rows = await printed(pods, new Random(seed));
  const phase = (object: KubeObject) => (object['status'] as { phase?: string }).phase ?? '';
  const naive = pods.columns!.map((column) => (column.name === 'Status' ? { ...column, cell: phase } : column));
  expect(misprinted(rows, pods.columns!)).toEqual([]);
  expect(misprinted(rows, naive).length).toBeGreaterThan(0);
});

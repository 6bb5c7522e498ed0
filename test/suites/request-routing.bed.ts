/** The tables of the FleetAPIServer proposal, row by row, with the audit logs of all places as witness. */

import { join } from 'node:path';
import { isCached } from '@fleet/bed/cached/everything.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fleet, startFleet } from './fleet.ts';
import { apply, binding, reach } from './rbac.ts';
import { playing } from './request-routing/playing.ts';
import { clusterRoles, deployments, rowsOf, spellings } from './request-routing/row.ts';
import { type Places, play } from './request-routing/stage.ts';
import {
  fleetClusterRoles,
  fleetDeployments,
  vanillaClusterRoles,
  vanillaDeployments,
} from './request-routing/tables.ts';
import { stagedAs } from './request-routing/witnessed.ts';
import { watchMember } from './seen.ts';

const alice = { kind: 'User', name: 'alice' } as const;
const widgetsCrd = join(import.meta.dirname, '../bed/manifests/widgets-crd.yaml');
const small = { apiVersion: 'example.fleet/v1', kind: 'Widget', spec: { size: 1 } };

const members = ['member1', 'member2', 'member3'] as const;
let fleet: Fleet<(typeof members)[number]>;
let places: Places;

beforeAll(async () => {
  fleet = await startFleet(
    {
      member1: { version: 'newest', nodes: 0 },
      member2: { version: 'older', nodes: 0 },
      member3: { version: 'newest', nodes: 0 },
    },
    { audited: true },
  );
  places = stagedAs({ ...fleet.members, karmada: fleet.controlPlane });
  const { member1, member2, member3 } = fleet.members;
  await apply(fleet.controlPlane, reach, binding('people', 'reach', { kind: 'Group', name: 'people' }));
  // What alice may is different in each.
  await apply(member1, binding('alice', 'edit', alice));
  await apply(member3, binding('alice', 'view', alice));
  for (const member of [member1, member3]) {
    await member.kubectl('apply', '-f', widgetsCrd);
    await member.kubectl('wait', '--for=condition=Established', 'crd/widgets.example.fleet', '--timeout=30s');
    await apply(member, { ...small, metadata: { name: 'small', namespace: 'default' } });
  }
  for (const member of [member1, member2, member3]) await apply(member, deployments.make('web'));
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

interface Named {
  metadata: { name: string };
}

const stage = () => ({ product: fleet.product, places });
const { sceneOf, expected, playRow, skip } = playing(stage, members, false);

describe.each([
  ['Deployment', vanillaDeployments, deployments, 8],
  ['ClusterRole', vanillaClusterRoles, clusterRoles, 7],
] as const)('URL-1: vanilla API, %s, federation off', (_, table, kind, count) => {
  const rows = rowsOf(table);
  test(`the table has ${count} rows`, () => {
    expect(rows).toHaveLength(count);
  });
  test.each(rows)('$text', (row) => playRow(kind, row));
});

describe.each(
  Object.entries(spellings).flatMap(([spelling, spell]) => [
    { spelling, spell, of: 'Deployment', table: fleetDeployments, kind: deployments, count: 24 },
    { spelling, spell, of: 'ClusterRole', table: fleetClusterRoles, kind: clusterRoles, count: 21 },
  ]),
)('URL-2 URL-3: Fleet API, $of, clusterspace $spelling', ({ table, kind, spell, count }) => {
  const rows = rowsOf(table);
  test(`the table has ${count} rows`, () => {
    expect(rows).toHaveLength(count);
  });
  test.each(rows)('$text', (row) => playRow(kind, row, spell));
});

describe('the principles beside the tables', () => {
  const namesIn = (text: string) => (JSON.parse(text) as { items: Named[] }).items.map(({ metadata }) => metadata.name);
  const both = ['small.clusterspace.member1', 'small.clusterspace.member3'];

  test.each(['', '/clusterspaces/all'])(
    'LIST-2: a kind that member2 lacks is listed from the others, at "%s"',
    async (at) => {
      const watching = await Promise.all(members.map((name) => watchMember(fleet.members[name])));
      expect(namesIn((await fleet.product.api.ask(`${at}/apis/example.fleet/v1/widgets`)).body)).toEqual(both);
      const codes = await Promise.all(
        watching.map(async (seen) =>
          (await seen()).filter(({ impersonatedUser }) => impersonatedUser === 'fleet:admin').map(({ code }) => code),
        ),
      );
      // Where it is registered, the others are asked, or their caches.
      if (isCached) expect(codes[1]).toEqual([404]);
      else expect(codes).toEqual([[200], [404], [200]]);
    },
  );

  test('LIST-3: alice’s list is of the members that let her', async () => {
    const kubeconfig = await fleet.product.userKubeconfig('alice', ['people']);
    const list = await fleet.product.kubectl('get', '--raw', '/apis/apps/v1/namespaces/default/deployments', {
      kubeconfig,
    });
    const clusters = new Set(namesIn(list.stdout).map((name) => name.split('.clusterspace.')[1]));
    expect({ stderr: list.stderr, clusters: [...clusters] }).toEqual({ stderr: '', clusters: ['member1', 'member3'] });
    const roles = await fleet.product.kubectl('get', '--raw', clusterRoles.collection, { kubeconfig });
    expect(roles.stderr).toContain('(Forbidden)');
  });

  test('AUTHZ-3: what alice changes is decided by the member in the name', async () => {
    const kubeconfig = await fleet.product.userKubeconfig('alice', ['people']);
    const label = (name: string) =>
      fleet.product.kubectl('label', 'deployment', `web.clusterspace.${name}`, 'by=alice', { kubeconfig });
    const [first, second, third] = await Promise.all(members.map(label));
    expect(first).toEqual({ code: 0, stdout: 'deployment.apps/web.clusterspace.member1 labeled\n', stderr: '' });
    expect(second?.stderr).toContain('User "alice" cannot get resource "deployments"');
    expect(third?.stderr).toContain('"web.clusterspace.member3" is forbidden: User "alice" cannot patch');
  });

  test('NAME-7: a name that contradicts the clusterspace is an error, and nobody is asked', async () => {
    const watching = await Promise.all(members.map((name) => watchMember(fleet.members[name])));
    const url = '/apis/apps/v1/namespaces/default/clusterspaces/member1/deployments/web.clusterspace.member2';
    const { code, body } = await fleet.product.api.ask(url, { method: 'DELETE' });
    expect({ code, reason: JSON.parse(body).reason }).toEqual({ code: 400, reason: 'BadRequest' });
    expect(body).toMatch(/member1.*member2/);
    const seen = await Promise.all(watching.map((entries) => entries()));
    expect(seen.flat().filter(({ impersonatedUser }) => impersonatedUser === 'fleet:admin')).toEqual([]);
  });

  test('NAME-6 LIST-7: a plain name that all members have is a conflict that names each', async () => {
    const { code, body } = await fleet.product.api.ask(`${deployments.collection}/web`, { method: 'DELETE' });
    expect({ code, message: JSON.parse(body).message }).toEqual({
      code: 409,
      message: `deployments "web" is in several clusters: use ${members.map((name) => `"web.clusterspace.${name}"`).join(', ')}`,
    });
  });
});

describe('negative controls', () => {
  const outcome = async (operation: string, mutant: Parameters<typeof fleet.withMutant>[0]) => {
    const row = rowsOf(vanillaClusterRoles).find((one) => one.operation === operation)!;
    // That is where the mutant goes.
    skip('member1');
    const scene = sceneOf(clusterRoles, row, undefined);
    await using product = await fleet.withMutant(mutant);
    const { answer, seen, state } = await play(product, places, scene);
    return { actual: { code: answer.code, seen, state }, desired: expected(scene) };
  };

  test('a product that goes to another member than the named one is noticed by the audit logs', async () => {
    const { actual, desired } = await outcome('delete', {
      file: 'server/src/places.ts',
      from: 'const member = members.get(cluster);\n      const { over, identity }',
      to: 'const member = members.get(cluster && "member1");\n      const { over, identity }',
    });
    expect(actual.code).toBe(desired.code);
    expect(actual.seen['member1']).toEqual([expect.stringContaining('delete row-')]);
    expect(actual).not.toEqual(desired);
  });

  test('one that lets a collection be deleted in the first member is noticed', async () => {
    const { actual, desired } = await outcome('deletecollection', {
      file: 'server/src/target/families/resource-paths.ts',
      from: 'const [cluster, ...others] = only ?? [];',
      to: "const [cluster, ...others] = only ?? ['member1'];",
    });
    expect(actual.state['member1']).toBe('gone');
    expect(actual).not.toEqual(desired);
  });
});

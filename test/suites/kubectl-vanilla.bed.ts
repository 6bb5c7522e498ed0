/** Plain kubectl on the vanilla view, over members of two Kubernetes versions. */

import { until } from '@fleet/bed/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fleet, startFleet } from './fleet.ts';
import { apply } from './rbac.ts';

let fleet: Fleet<'member1' | 'member2'>;

beforeAll(async () => {
  fleet = await startFleet({
    member1: { version: 'newest', workloads: true },
    member2: { version: 'older', workloads: true },
  });
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

const kubectl = (...args: string[]) => fleet.product.kubectl(...args);

/** The lines that a member prints itself, with its names suffixed: what the merged view must show. */
async function expectedNames(args: string[]): Promise<string[]> {
  const perMember = await Promise.all(
    Object.values(fleet.members).map(async (member) => {
      const { stdout } = await member.kubectl('get', ...args, '-o', 'name');
      return stdout
        .trim()
        .split('\n')
        .map((line) => `${line}.clusterspace.${member.name}`);
    }),
  );
  return perMember.flat();
}

/** NAME columns of a printed table. */
const column = (stdout: string, header: string): string[] => {
  const [first = '', ...rows] = stdout.trimEnd().split('\n');
  const at = first.split(/\s+/).indexOf(header);
  return rows.map((row) => row.split(/\s+/)[at] ?? '');
};

describe('kubectl get on the vanilla view', () => {
  test('LIST-1 LIST-5 NAME-4: `get pods -A` prints every member’s pods, suffixed, in cluster order', async () => {
    const { code, stdout, stderr } = await kubectl('get', 'pods', '-A');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const names = (await expectedNames(['pods', '-A'])).map((name) => name.replace('pod/', ''));
    expect(names.length).toBeGreaterThan(10);
    expect(column(stdout, 'NAME')).toEqual(names);
  });

  test('LIST-5: `get deploy -n default -o wide` has the member’s own wide columns', async () => {
    const { code, stdout } = await kubectl('get', 'deploy', '-n', 'default', '-o', 'wide');
    expect(code).toBe(0);
    const direct = await fleet.members.member1.kubectl('get', 'deploy', '-n', 'default', '-o', 'wide');
    expect(stdout.split('\n')[0]?.split(/\s{2,}/)).toEqual(direct.stdout.split('\n')[0]?.split(/\s{2,}/));
    expect(column(stdout, 'NAME')).toEqual(['web.clusterspace.member1', 'web.clusterspace.member2']);
  });

  test('LIST-5: a custom resource shows its own printer columns', async () => {
    const { code, stdout } = await kubectl('get', 'widgets', '-A');
    expect(code).toBe(0);
    expect(stdout.split('\n')[0]?.split(/\s+/)).toEqual(['NAMESPACE', 'NAME', 'SIZE', 'PHASE']);
    expect(column(stdout, 'SIZE')).toEqual(['100', '1', '100', '1']);
  });

  test('NAME-1 NAME-4 RV-3: a pod by suffixed name is the member’s object with only its name changed', async () => {
    const { code, stdout } = await kubectl('get', 'pod', 'x.clusterspace.member1', '-o', 'json');
    expect(code).toBe(0);
    const direct = JSON.parse((await fleet.members.member1.kubectl('get', 'pod', 'x', '-o', 'json')).stdout);
    direct.metadata.name = 'x.clusterspace.member1';
    expect(JSON.parse(stdout)).toEqual(direct);
  });

  test('RV-2 RV-3 NAME-12: an object list is the members’ objects, suffixed, under a map of versions', async () => {
    const { stdout } = await kubectl('get', '--raw', '/apis/apps/v1/namespaces/default/replicasets');
    const list = JSON.parse(stdout);
    expect(list.kind).toBe('ReplicaSetList');
    const versions = JSON.parse(Buffer.from(list.metadata.resourceVersion, 'base64url').toString());
    expect(Object.keys(versions)).toEqual(['member1', 'member2']);
    const direct = await Promise.all(
      Object.values(fleet.members).map(async (member) => {
        const own = JSON.parse(
          (await member.kubectl('get', '--raw', '/apis/apps/v1/namespaces/default/replicasets')).stdout,
        );
        for (const item of own.items) {
          item.metadata.name += `.clusterspace.${member.name}`;
          for (const owner of item.metadata.ownerReferences) owner.name += `.clusterspace.${member.name}`;
        }
        return own.items;
      }),
    );
    expect(list.items).toEqual(direct.flat());
  });

  test('NAME-4: a member’s answer about a missing object names it as it was asked for', async () => {
    const { code, stderr } = await kubectl('get', 'pod', 'nope.clusterspace.member2');
    expect(code).toBe(1);
    expect(stderr).toBe('Error from server (NotFound): pods "nope.clusterspace.member2" not found\n');
  });

  test('NAME-8: a cluster that does not exist is a clusters.cluster.karmada.io that is not found', async () => {
    const { stderr } = await kubectl('get', '--raw', '/api/v1/namespaces/default/pods/x.clusterspace.nowhere');
    expect(stderr).toBe('Error from server (NotFound): clusters.cluster.karmada.io "nowhere" not found\n');
  });

  test('LIST-2: a resource that nobody serves is not found; one that one member serves is listed from there', async () => {
    const nobody = await kubectl('get', '--raw', '/apis/example.nowhere/v1/things');
    expect(nobody.stderr).toContain('could not find the requested resource');
    const { member2 } = fleet.members;
    const definition = await member2.kubectl('get', 'crd', 'widgets.example.fleet', '-o', 'json');
    const { apiVersion, kind, metadata, spec } = JSON.parse(definition.stdout);
    await member2.kubectl('delete', 'crd', 'widgets.example.fleet');
    const { stdout } = await kubectl('get', 'widgets', '-A');
    expect(column(stdout, 'NAME')).toEqual(['large.clusterspace.member1', 'small.clusterspace.member1']);
    await apply(member2, { apiVersion, kind, metadata: { name: metadata.name }, spec });
    await until('widgets are served again', async () => (await member2.kubectl('get', 'widgets')).code === 0);
  });
});

describe('streams by suffixed name', () => {
  test('URL-11: logs are the pod’s own', async () => {
    const { code, stdout } = await kubectl('logs', 'x.clusterspace.member2', '--tail', '2');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^x line \d+\nx line \d+\n$/);
  });

  test('URL-13: exec keeps stdin, both outputs and the exit code 3', async () => {
    const script = 'cat; echo problem >&2; exit 3';
    const { code, stdout, stderr } = await fleet.product.kubectl(
      ...['exec', '-i', 'x.clusterspace.member1', '--', 'sh', '-c', script],
      { stdin: 'typed\n' },
    );
    expect({ code, stdout }).toEqual({ code: 3, stdout: 'typed\n' });
    expect(stderr).toContain('problem');
    expect(stderr).toContain('exit code 3');
  });
});

describe('LIST-7 NAME-6: names without a cluster', () => {
  test('what one member has is read, changed and deleted there, by its plain name', async () => {
    await fleet.members.member2.kubectl('create', 'configmap', 'single', '--from-literal=a=1');
    const read = await kubectl('get', 'configmap', 'single', '-o', 'jsonpath={.metadata.name} {.data.a}');
    expect(read).toMatchObject({ code: 0, stdout: 'single 1', stderr: '' });
    expect((await kubectl('patch', 'cm', 'single', '-p', '{"data":{"a":"2"}}')).code).toBe(0);
    const { stdout } = await fleet.members.member2.kubectl('get', 'cm', 'single', '-o', 'jsonpath={.data.a}');
    expect(stdout).toBe('2');
    expect((await kubectl('delete', 'cm', 'single')).code).toBe(0);
    expect((await fleet.members.member2.kubectl('get', 'cm', 'single')).stderr).toContain('NotFound');
  });

  test('what several have is a conflict that names them, and nothing is changed', async () => {
    const { code, stderr } = await kubectl('delete', 'pod', 'x');
    expect(code).toBe(1);
    expect(stderr).toContain('pods "x" is in several clusters: use "x.clusterspace.member1", "x.clusterspace.member2"');
    for (const member of Object.values(fleet.members)) expect((await member.kubectl('get', 'pod', 'x')).code).toBe(0);
  });

  test('what nobody has is not found', async () => {
    expect((await kubectl('get', 'pod', 'nope')).stderr).toBe('Error from server (NotFound): pods "nope" not found\n');
  });

  test('the error of a create explains how to name a cluster', async () => {
    const { stderr } = await kubectl('create', 'configmap', 'new');
    expect(stderr).toContain('must name its cluster');
  });
});

describe('NAME-11: the label clusterspace', () => {
  test('exec and logs of deploy/web.clusterspace.{member} reach a pod of that member, every time', async () => {
    for (const name of ['member1', 'member2', 'member1', 'member2']) {
      const { stdout } = await kubectl(
        'exec',
        `deploy/web.clusterspace.${name}`,
        '--',
        'sh',
        '-c',
        'echo $FLEET_BED_MEMBER',
      );
      expect(stdout).toBe(`${name}\n`);
      expect((await kubectl('logs', `deploy/web.clusterspace.${name}`, '--tail', '1')).code).toBe(0);
    }
  });

  test('get -l chooses clusters', async () => {
    const clusters = async (selector: string) => {
      const { stdout } = await kubectl('get', 'pods', '-A', '-l', selector, '-o', 'name');
      return [...new Set([...stdout.matchAll(/\.clusterspace\.(\S+)/g)].map(([, name]) => name))];
    };
    expect(await clusters('clusterspace=member2')).toEqual(['member2']);
    expect(await clusters('app=web,clusterspace!=member2')).toEqual(['member1']);
    expect(await clusters('clusterspace in (member1,member2),app=web')).toEqual(['member1', 'member2']);
    const unknown = await kubectl('get', 'pods', '-l', 'clusterspace=nowhere');
    expect(unknown.stderr).toContain('clusters.cluster.karmada.io "nowhere" not found');
  });
});

describe('discovery', () => {
  test('DISC-1: api-resources is the union of the members and the control plane’s own kinds', async () => {
    const names = async (run: Promise<{ stdout: string }>) => (await run).stdout.trim().split('\n').sort();
    const merged = await names(kubectl('api-resources', '-o', 'name'));
    const direct = await Promise.all(
      Object.values(fleet.members).map((member) => names(member.kubectl('api-resources', '-o', 'name'))),
    );
    const own = [
      'agents.cluster.kubesphere.io',
      'clusters.cluster.karmada.io',
      'clusters.cluster.kubesphere.io',
      'resourceregistries.search.karmada.io',
    ];
    expect(merged).toEqual([...new Set([...direct.flat(), ...own])].sort());
  });

  test('DISC-4: for one clusterspace it is that cluster’s own, byte for byte', async () => {
    for (const path of ['/apis', '/api/v1', '/openapi/v3', '/version']) {
      const through = await fleet.product.kubectl('get', '--raw', path, { at: '/clusterspaces/member2' });
      expect(through.stdout, path).toBe((await fleet.members.member2.kubectl('get', '--raw', path)).stdout);
    }
  });
});

describe('negative controls', () => {
  test('a merger that drops one item of each batch is noticed', async () => {
    const product = await fleet.withMutant({
      file: 'server/src/merge/list-body.ts',
      from: 'for (const [at, item] of items.entries()) {',
      to: 'for (const [at, item] of [...items.entries()].slice(1)) {',
    });
    const { stdout } = await product.kubectl('get', 'pods', '-A');
    const names = (await expectedNames(['pods', '-A'])).map((name) => name.replace('pod/', ''));
    expect(column(stdout, 'NAME')).not.toEqual(names);
  });

  test('a view that forgets owners is noticed', async () => {
    const product = await fleet.withMutant({
      file: 'server/src/present/marking.ts',
      from: 'for (const span of found.owners) behind(span, name);',
      to: '',
    });
    const { stdout } = await product.kubectl('get', '--raw', '/apis/apps/v1/namespaces/default/replicasets');
    expect(JSON.parse(stdout).items[0].metadata.ownerReferences[0].name).toBe('web');
  });
});

/** A server accepts a request and never answers: every command ends with an error that names the request. */

import { describe, expect, test } from 'vitest';
import { HintedError } from '../errors.ts';
import { NoAnswerError, PatientUpstream } from '../patient-upstream.ts';
import { Progress } from '../progress.ts';
import { FakeCluster, type Silent } from '../testing/fake-cluster.ts';
import { join } from './join.ts';
import { unjoin } from './unjoin.ts';

const endpoint = { url: 'https://member1:6443', tls: {} };
const answerWithin = 30;
const undoWithin = 200;

function sides() {
  const [member, controlPlane] = [new FakeCluster('uid-of-member1'), new FakeCluster('uid-of-fleet')];
  let output = '';
  const progress = new Progress({ write: (text) => (output += text) });
  const patient = (to: FakeCluster, where: string) =>
    to.client(new PatientUpstream(to.upstream, `https://${where}`, answerWithin));
  const clients = { member: patient(member, 'member'), controlPlane: patient(controlPlane, 'fleet') };
  const joinNow = (signal = new AbortController().signal) =>
    join(
      { name: 'member1', endpoint, bindAdmins: true, readyWithin: 1_000 },
      { ...clients, progress, signal, undoWithin },
    );
  return { member, controlPlane, clients, joinNow, progress, output: () => output };
}

const exactly =
  (request: string): Silent =>
  (asked) =>
    asked === request;

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const secrets = '/api/v1/namespaces/karmada-cluster/secrets';
const clusters = '/apis/cluster.karmada.io/v1alpha1/clusters';
const waiting = `GET ${clusters}/member1`;
const home = '/api/v1/namespaces/fleet-system';

describe('CLU-2: a join that is not answered', () => {
  test.each([
    ['Reach the member', 'member', 'GET /version'],
    ['Reach the member', 'member', 'GET /api/v1/namespaces/kube-system'],
    ['Look for it in the fleet', 'controlPlane', `GET ${clusters}`],
    ['Make namespace', 'member', `GET ${home}`],
    ['Make namespace', 'member', 'POST /api/v1/namespaces'],
    ['Make its two ServiceAccounts', 'member', `POST ${home}/serviceaccounts`],
    ['Make its two ServiceAccounts', 'member', `GET ${home}/secrets/fleet-control-token`],
    ['Make its two ServiceAccounts', 'member', `POST ${home}/secrets`],
    ['Grant them', 'member', `POST ${rbac}/clusterroles`],
    ['Grant them', 'member', `POST ${rbac}/clusterrolebindings`],
    ['Store the credentials', 'controlPlane', 'GET /api/v1/namespaces/karmada-cluster'],
    ['Store the credentials', 'controlPlane', `POST ${secrets}`],
    ['Register the cluster', 'controlPlane', `POST ${clusters}`],
  ] as const)('at "%s": %s %s; what was made is undone', async (step, side, request) => {
    const all = sides();
    all[side].silent = exactly(request);
    const failed = await all.joinNow().catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(NoAnswerError);
    expect(String(failed)).toContain(`${request.split(' ')[1]}`);
    expect(all.output()).toContain(`✗ ${step}`);
    // Of what the side does not answer to, an undo can do no more.
    if (request.startsWith('POST')) expect(all.member.paths).toEqual([]);
    expect(all.controlPlane.paths.filter((path) => path !== '/api/v1/namespaces/karmada-cluster')).toEqual([]);
  });

  test('at "Wait until the fleet": what was made is undone', async () => {
    const all = sides();
    all.controlPlane.silent = (asked) => asked === waiting && all.controlPlane.requests.at(-2) === `POST ${clusters}`;
    await expect(all.joinNow()).rejects.toThrow(`${waiting.replace(' ', ' https://fleet')} was not answered within`);
    expect(all.output()).toContain('✗ Wait until the fleet');
    expect([...all.member.paths, ...all.controlPlane.paths]).toEqual(['/api/v1/namespaces/karmada-cluster']);
  });

  test.each([
    ['member', exactly(`DELETE ${home}`), 'Namespace fleet-system'],
    ['member', exactly(`GET ${home}`), 'Namespace fleet-system'],
    ['member', (asked: string) => asked.startsWith('DELETE'), 'ClusterRole fleet:impersonation'],
    ['controlPlane', exactly(`DELETE ${clusters}/member1`), 'Cluster member1'],
    ['controlPlane', (asked: string) => asked.startsWith('DELETE'), 'Secret karmada-cluster/member1'],
  ] as const)(
    'nor its undo, by the %s: it ends, undoes the rest and names what is left',
    async (side, silent, left) => {
      const all = sides();
      const interruption = new AbortController();
      // Ctrl-C while it waits for the fleet to report the member ready.
      all.controlPlane.silent = (asked) => {
        if (asked !== waiting || all.controlPlane.requests.at(-2) !== `POST ${clusters}`) return false;
        interruption.abort(new Error('interrupted'));
        all.controlPlane.silent = () => false;
        all[side].silent = silent;
        return true;
      };
      const begun = performance.now();
      await expect(all.joinNow(interruption.signal)).rejects.toThrow('interrupted');
      expect(performance.now() - begun).toBeLessThan(undoWithin + 5_000);
      expect(all.output()).toMatch(new RegExp(`left behind: ${left} \\(.*(not answered|not done) within`));
      const other = side === 'member' ? 'controlPlane' : 'member';
      expect(all[other].paths.filter((path) => path !== '/api/v1/namespaces/karmada-cluster')).toEqual([]);
    },
  );
});

test('CLU-2: an undo of what is deleted and does not go ends in time, and names it', async () => {
  const all = sides();
  all.member.stuck.add(home);
  all.controlPlane.silent = exactly(`POST ${clusters}`);
  const begun = performance.now();
  await expect(all.joinNow()).rejects.toThrow(NoAnswerError);
  expect(performance.now() - begun).toBeLessThan(undoWithin + 5_000);
  expect(all.output()).toContain(`left behind: Namespace fleet-system (not done within ${undoWithin / 1000} s)`);
  expect(all.member.paths.filter((path) => path.startsWith(rbac))).toEqual([]);
});

describe('CLU-2: an unjoin that is not answered', () => {
  test.each([
    ['controlPlane', `GET ${clusters}`],
    ['member', 'GET /api/v1/namespaces/kube-system'],
    ['member', `DELETE ${rbac}/clusterroles/fleet:health`],
    ['member', `DELETE ${home}`],
    ['controlPlane', `DELETE ${clusters}/member1`],
    ['controlPlane', `GET ${clusters}/member1`],
    ['controlPlane', `DELETE ${secrets}/member1`],
  ] as const)('by the %s, %s: it ends with an error', async (side, request) => {
    const all = sides();
    await all.joinNow();
    all[side].silent = exactly(request);
    const way = { by: 'kubeconfig', client: all.clients.member, url: endpoint.url } as const;
    const leave = (force: boolean) =>
      unjoin({ name: 'member1', force }, { ...all.clients, member: way, progress: all.progress });
    const failed = await leave(false).catch((error: unknown) => error);
    expect(String(failed)).toContain('not answered within');
    if (side === 'controlPlane') return;
    expect(failed).toBeInstanceOf(HintedError);
    expect((failed as HintedError).hint).toContain('--force');
    await leave(true);
    expect(all.controlPlane.paths).toEqual(['/api/v1/namespaces/karmada-cluster']);
  });
});

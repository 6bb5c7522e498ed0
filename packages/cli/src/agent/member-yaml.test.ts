import { startCluster } from '@fleet/simulator/start-cluster.ts';
import { formatToken, makeToken } from '@fleet/tunnel/token.ts';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { Manifest } from '../join/manifest.ts';
import { poll } from '../poll.ts';
import type { DeploymentOptions } from './deployment.ts';
import { memberYaml } from './member-yaml.ts';

const token = makeToken('gondor', ['A'.repeat(43)]);
const agent: DeploymentOptions = {
  token,
  image: 'registry.test/fleet:1',
  server: 'https://fleet.test:8443',
  transport: 'auto',
  certificateAuthority: 'CA\n',
};
const options = { fleet: 'uid-of-fleet', bindAdmins: true, cacheKinds: [], agent };

const objectsIn = (yaml: string): Manifest[] => parseAllDocuments(yaml).map((document) => document.toJS() as Manifest);
const kinds = (yaml: string) => objectsIn(yaml).map(({ kind, metadata }) => `${kind} ${metadata.name}`);

interface PodSpec {
  containers: { args: string[]; securityContext: object; volumeMounts: { mountPath: string }[] }[];
  [field: string]: unknown;
}

const podOf = (yaml: string): PodSpec =>
  (objectsIn(yaml).find(({ kind }) => kind === 'Deployment') as unknown as { spec: { template: { spec: PodSpec } } })
    .spec.template.spec;

const plurals: Record<string, string> = {
  Namespace: '/api/v1/namespaces',
  ServiceAccount: '/api/v1/namespaces/fleet-system/serviceaccounts',
  Secret: '/api/v1/namespaces/fleet-system/secrets',
  ClusterRole: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  ClusterRoleBinding: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
  Deployment: '/apis/apps/v1/namespaces/fleet-system/deployments',
  PodDisruptionBudget: '/apis/policy/v1/namespaces/fleet-system/poddisruptionbudgets',
};

describe('AGENT-1: the manifest of an agent', () => {
  test('is one YAML that an API server takes as it is, in this order; its agents start and its accounts get tokens', async () => {
    await using member = await startCluster({ name: 'gondor', factor: 30, onError: () => {} });
    for (const object of objectsIn(memberYaml(options)))
      await member.client.create(`${plurals[object.kind!]}?fieldValidation=Strict`, object);
    const read = (path: string) => member.client.get<Manifest>(path);
    const deadline = { deadline: 15_000, late: () => new Error('it does not come') };
    await poll(async () => {
      const { status } = await read(`${plurals['Deployment']}/fleet-agent`);
      return (status as { readyReplicas?: number } | undefined)?.readyReplicas === 2 ? true : undefined;
    }, deadline);
    for (const account of ['fleet-control', 'fleet-impersonator'])
      await poll(async () => {
        const { data } = await read(`${plurals['Secret']}/${account}-token`);
        return (data as { token?: string } | undefined)?.token;
      }, deadline);
    const { data } = await read(`${plurals['Secret']}/fleet-agent-token`);
    expect(Buffer.from((data as { token: string }).token, 'base64').toString()).toBe(`${formatToken(token)}\n`);
  });

  test('the agent runs without permissions, as nobody, on a file system that it cannot write', () => {
    const pod = podOf(memberYaml(options));
    expect(pod).toMatchObject({
      serviceAccountName: 'fleet-agent',
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(pod.containers[0]?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const bindings = objectsIn(memberYaml(options)).filter(({ kind }) => kind === 'ClusterRoleBinding');
    expect(JSON.stringify(bindings)).not.toContain('fleet-agent');
  });

  test('its flags lead to what is mounted', () => {
    const { args, volumeMounts } = podOf(memberYaml(options)).containers[0]!;
    expect(args).toEqual([
      'agent',
      '--server=https://fleet.test:8443',
      '--token-file=/var/run/secrets/fleet/agent/token',
      '--credentials=/var/run/secrets/fleet',
      '--metrics-listen=:8080',
      '--certificate-authority=/var/run/secrets/fleet/agent/ca.crt',
    ]);
    expect(volumeMounts.map(({ mountPath }) => mountPath)).toEqual([
      '/var/run/secrets/fleet/agent',
      '/var/run/secrets/fleet/control',
      '/var/run/secrets/fleet/impersonator',
    ]);
    const other = {
      ...agent,
      transport: 'websocket',
      proxy: 'http://p:3128',
      certificateAuthority: undefined,
    } as const;
    expect(podOf(memberYaml({ ...options, agent: other })).containers[0]?.args.slice(-2)).toEqual([
      '--transport=websocket',
      '--proxy=http://p:3128',
    ]);
  });

  test('names its fleet, and contains only what is requested', () => {
    const [namespace] = objectsIn(memberYaml(options));
    expect(namespace?.metadata).toMatchObject({
      annotations: { 'fleet.karmada.io/joined-by': 'uid-of-fleet' },
      labels: { 'pod-security.kubernetes.io/enforce': 'restricted' },
    });
    const few = kinds(memberYaml({ ...options, bindAdmins: false, agent: undefined }));
    expect(few).toEqual(kinds(memberYaml(options)).filter((one) => !/agent|member-admins|Disruption/.test(one)));
    const cacheKinds = [{ group: '', resource: 'pods' }];
    expect(kinds(memberYaml({ ...options, cacheKinds }))).toContain('ClusterRole fleet:cache');
    expect(kinds(memberYaml({ ...options, federationKinds: [] }))).toEqual(kinds(memberYaml(options)));
    const federationKinds = [{ group: 'apps', resource: 'deployments' }];
    const granted = memberYaml({ ...options, cacheKinds, federationKinds, agent: undefined });
    expect(kinds(granted)).toContain('ClusterRole fleet:federation');
    expect(kinds(granted)).toContain('ClusterRoleBinding fleet:federation');
    // No aliases: rules are there to be read.
    expect(granted).not.toMatch(/ [&*]a\d/);
  });
});

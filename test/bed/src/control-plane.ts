/** The command lines of a member's control plane. Paths are relative to the member's folder. */

const serviceRange = '10.0.0.0/16';

export function etcdArguments(): string[] {
  // sockets in the member's folder, so that no port is taken; etcd wants them to look like host:port
  const client = 'unix://etcd:2379';
  const peer = 'unix://etcd:2380';
  return [
    '--data-dir=etcd',
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    // the data does not outlive the member
    '--unsafe-no-fsync',
    '--quota-backend-bytes=8589934592',
    '--log-level=warn',
  ];
}

export interface ApiserverOptions {
  port: number;
  compactionInterval?: string | undefined;
  /** Its authorisers are those of `authorizationFiles`. */
  hasWebhook?: boolean | undefined;
  extra?: readonly string[] | undefined;
}

export function apiserverArguments({ port, compactionInterval, hasWebhook, extra }: ApiserverOptions): string[] {
  return [
    '--etcd-servers=unix://etcd:2379',
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    '--advertise-address=127.0.0.1',
    // Endpoints may not hold loopback addresses
    '--endpoint-reconciler-type=none',
    `--service-cluster-ip-range=${serviceRange}`,
    '--tls-cert-file=pki/apiserver.crt',
    '--tls-private-key-file=pki/apiserver.key',
    '--client-ca-file=pki/ca.crt',
    hasWebhook ? '--authorization-config=authorization.json' : '--authorization-mode=Node,RBAC',
    '--allow-privileged=true',
    '--service-account-issuer=https://kubernetes.default.svc',
    '--service-account-key-file=pki/service-accounts.pub',
    '--service-account-signing-key-file=pki/service-accounts.key',
    '--kubelet-certificate-authority=pki/ca.crt',
    '--kubelet-client-certificate=pki/kubelet-client.crt',
    '--kubelet-client-key=pki/kubelet-client.key',
    '--kubelet-preferred-address-types=InternalIP',
    '--requestheader-client-ca-file=pki/front-proxy-ca.crt',
    '--requestheader-allowed-names=front-proxy-client',
    '--requestheader-username-headers=X-Remote-User',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    '--proxy-client-cert-file=pki/front-proxy-client.crt',
    '--proxy-client-key-file=pki/front-proxy-client.key',
    '--audit-policy-file=audit-policy.yaml',
    '--audit-log-path=audit.log',
    // on disk before the answer goes out, so that a witness need not wait; and never rotated away
    '--audit-log-mode=blocking',
    '--audit-log-maxsize=10000',
    // or SIGTERM waits a minute for the controllers' watches
    '--shutdown-watch-termination-grace-period=1s',
    ...(compactionInterval ? [`--etcd-compaction-interval=${compactionInterval}`] : []),
    ...(extra ?? []),
  ];
}

export const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules: [{level: Metadata}]
`;

/** For suites that compare kube-apiserver with the embedded API server as a member cluster. */
export const asEmbedded = [
  // messages name it
  '--service-cluster-ip-range=10.96.0.0/12',
  // what the embedded API server does not have; other plugins that are on by default do nothing unless asked to
  '--disable-admission-plugins=PersistentVolumeClaimResize,PodTopologyLabels,RuntimeClass',
] as const;

/** Generous, so that suites that make thousands of objects do not wait for the controllers. */
const rates = ['--kube-api-qps=500', '--kube-api-burst=1000'];
// no port, and no lease to lose while the API server is frozen
const alone = ['--secure-port=0', '--leader-elect=false'];

/** Those that the embedded control plane does the work of, too. */
export const basicControllers = [
  'clusterrole-aggregation-controller',
  'garbage-collector-controller',
  'namespace-controller',
  'root-ca-certificate-publisher-controller',
  'serviceaccount-controller',
] as const;

export function controllerManagerArguments(controllers?: readonly string[]): string[] {
  return [
    '--kubeconfig=kubeconfig/controller-manager',
    ...alone,
    ...rates,
    `--service-cluster-ip-range=${serviceRange}`,
    '--root-ca-file=pki/ca.crt',
    '--service-account-private-key-file=pki/service-accounts.key',
    '--cluster-signing-cert-file=pki/ca.crt',
    '--cluster-signing-key-file=pki/ca.key',
    ...(controllers ? [`--controllers=${controllers.join(',')}`] : []),
  ];
}

export function schedulerArguments(): string[] {
  return ['--kubeconfig=kubeconfig/scheduler', ...alone, ...rates];
}

export function kwokArguments(): string[] {
  return [
    '--kubeconfig=kubeconfig/kwok',
    '--config=stages.yaml',
    '--manage-all-nodes=true',
    '--node-ip=127.0.0.1',
    '--cidr=10.128.0.0/9',
    '--node-lease-duration-seconds=40',
  ];
}

export function nodeServerArguments(server: string, member: string): string[] {
  return [
    `-server=${server}`,
    `-member=${member}`,
    '-ca=pki/ca.crt',
    '-cert=pki/node-server.crt',
    '-key=pki/node-server.key',
    '-root=containers',
  ];
}

/** Prints how to use a stock ssh as the agent of a cluster (AGENT-1): the command, known_hosts, and how to register its key. */

import { clusterAnnotation } from '../cluster.ts';
import { shellQuote } from '../demo/shell-quote.ts';

export interface StockSshOptions {
  cluster: string;
  /** Of the fleet, as the member reaches it. */
  host: string;
  port: number;
  /** As in `ssh-ed25519 AAAA…`. */
  hostKeys: readonly string[];
  /** Where the API server is, seen from where ssh runs. */
  target: string;
  identityFile: string;
  /** In the file beside the identity, if it is there. */
  publicKey: string | undefined;
  /** Those that the Agent has already. */
  registered: readonly string[];
}

/** A port other than ssh's own is part of the name there. */
export const knownHostsName = (host: string, port: number): string => (port === 22 ? host : `[${host}]:${port}`);

/** The second field of a line of authorized_keys is the key; a comment may follow. */
const keyOf = (line: string): string => line.trim().split(' ').slice(0, 2).join(' ');

export function stockSshScript(options: StockSshOptions): string {
  const { cluster, host, port, hostKeys, target, identityFile, publicKey, registered } = options;
  const knownHosts = `${cluster}.known_hosts`;
  const isRegistered = publicKey !== undefined && registered.map(keyOf).includes(keyOf(publicKey));
  const command = [
    'ssh -N -T',
    ...['-F none', '-o BatchMode=yes', '-o IdentitiesOnly=yes', '-o StrictHostKeyChecking=yes'],
    ...['-o GlobalKnownHostsFile=/dev/null', `-o UserKnownHostsFile=${knownHosts}`],
    ...['-o ServerAliveInterval=10', '-o ServerAliveCountMax=3', '-o ExitOnForwardFailure=yes'],
    `-i ${shellQuote(identityFile)}`,
    `-R kubernetes:443:${target}`,
    `-p ${port} ${cluster}@${host}`,
  ];
  return [
    '# 1. The host keys of the fleet. Without them ssh would trust whoever answers.',
    `cat > ${knownHosts} <<'EOF'`,
    ...hostKeys.map((key) => `${knownHostsName(host, port)} ${key}`),
    'EOF',
    '',
    ...(isRegistered ? [`# 2. The key ${identityFile} is registered for ${cluster}.`, ''] : keySteps(options)),
    ...credentialSteps(cluster),
    '',
    '# 4. The agent. It ends when the connection breaks: have it started again, as systemd does with Restart=always.',
    command.join(' \\\n  '),
    '',
  ].join('\n');
}

function keySteps({ cluster, identityFile, publicKey, registered }: StockSshOptions): string[] {
  const file = shellQuote(identityFile);
  const others = registered.map((line) => `${JSON.stringify(line).replaceAll("'", '\\u0027')},`).join('');
  return [
    "# 2. A key for this cluster's agent, and its Agent in the fleet that lists it: the whole list, with those that are there.",
    ...(publicKey === undefined ? [`ssh-keygen -q -t ed25519 -N '' -f ${file}`] : []),
    `kubectl --kubeconfig "$KARMADA" patch agents.cluster.kubesphere.io ${cluster} --type merge \\`,
    `  -p '{"spec":{"publicKeys":[${others}"'"$(cat ${file}.pub)"'"]}}'`,
    '',
  ];
}

const refText = (name: string): string => `{"namespace":"karmada-cluster","name":"${name}"}`;

/** In base64 from Secret to Secret. */
const credentialSteps = (cluster: string): string[] => [
  '# 3. The accounts that the fleet uses in the member, and their tokens, which a stock ssh does not hand over: once, and again when',
  '#    they change. $MEMBER and $KARMADA are kubeconfigs: of the member, with cluster-admin, and of the control plane, as of',
  "#    fleet kubeconfig --cluster karmada. It needs both; the agent's machine needs neither.",
  `fleet agent manifest ${cluster} --accounts-only | kubectl --kubeconfig "$MEMBER" apply -f -`,
  `of() { kubectl --kubeconfig "$MEMBER" get secret -n fleet-system "$1-token" -o "jsonpath={.data.$2}"; }`,
  `store() { kubectl --kubeconfig "$KARMADA" apply -f - <<EOF`,
  `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"$1","namespace":"karmada-cluster","annotations":{"${clusterAnnotation}":"${cluster}"}},`,
  ` "data":{"token":"$(of "$2" token)","caBundle":"$(of "$2" 'ca\\.crt')"}}`,
  'EOF',
  '}',
  `store ${cluster} fleet-control && store ${cluster}-impersonator fleet-impersonator`,
  `kubectl --kubeconfig "$KARMADA" patch clusters.cluster.karmada.io ${cluster} --type merge \\`,
  `  -p '{"spec":{"secretRef":${refText(cluster)},"impersonatorSecretRef":${refText(`${cluster}-impersonator`)}}}'`,
];

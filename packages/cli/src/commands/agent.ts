/** `fleet agent`: runs beside a member and dials the fleet, until SIGTERM or SIGINT (AGENT-1). */

import { readFile } from 'node:fs/promises';
import { type AgentLog, runAgentProgram } from '@fleet/agent/agent-program.ts';
import { proxyFromEnvironment } from '@fleet/agent/dial/proxy-environment.ts';
import { parseServer } from '@fleet/agent/dial/server-address.ts';
import { transportChoices } from '@fleet/agent/dial/server-dial.ts';
import { podApiServer, readMountedCredentials } from '@fleet/agent/pod.ts';
import { PolledValue } from '@fleet/agent/polled-value.ts';
import { parseListen } from '@fleet/agent/status-listener.ts';
import { KubeClient } from '@fleet/client/kube-client.ts';
import { loadEndpoint } from '@fleet/client/kubeconfig.ts';
import { isProxyUrl } from '@fleet/client/proxy.ts';
import { createLog } from '@fleet/server/observe/log.ts';
import type { AgentOptions, TargetAddress } from '@fleet/tunnel/agent.ts';
import type { AgentCredentials } from '@fleet/tunnel/control-messages.ts';
import type { AgentToken } from '@fleet/tunnel/token.ts';
import { followMember, targetOf } from '../agent/member-by-kubeconfig.ts';
import { readTokenFile } from '../agent/token-file.ts';
import { clientVersion } from '../client-version.ts';
import { describe, exitCodeOfSignal, UsageError } from '../errors.ts';
import { onSignals } from '../interruption.ts';
import { type KindsFlags, kindsIn } from '../join/kinds.ts';
import { PatientUpstream } from '../patient-upstream.ts';
import { Progress } from '../progress.ts';

export interface AgentFlags extends KindsFlags {
  server?: string;
  name?: string;
  tokenFile?: string;
  kubeconfig?: string;
  context?: string;
  bindAdmins: boolean;
  credentials: string;
  kubesphereAddress?: string;
  transport: string;
  proxy?: string;
  certificateAuthority?: string;
  insecureSkipTlsVerify: boolean;
  metricsListen?: string;
  logLevel: string;
}

/** In milliseconds: the kubelet takes up to a minute to bring a changed Secret to a file. */
const lookAgain = 5000;

const logLevels = ['debug', 'info', 'warn', 'error'];

export async function runAgentCommand(flags: AgentFlags): Promise<void> {
  const settings = settingsOf(flags);
  const { tokenFile } = settings;
  const first = await readTokenFile(tokenFile);
  refuseOtherName(first, flags.name);
  const ca = flags.certificateAuthority && (await readFile(flags.certificateAuthority, 'utf8'));
  const log = createLog(flags.logLevel);
  const ending = new AbortController();
  using _signals = onSignals(
    ['SIGINT', 'SIGTERM'],
    () => ending.abort(new Error('interrupted')),
    (signal) => process.exit(exitCodeOfSignal(signal)),
  );
  const failed = (what: string) => (error: unknown) => log.warn({ reason: describe(error) }, what);
  await using stack = new AsyncDisposableStack();
  const token = stack.use(
    await PolledValue.start({
      read: async () => sameCluster(await readTokenFile(tokenFile), first),
      failed: failed('the token file cannot be read; the last token is kept'),
      interval: lookAgain,
    }),
  );
  const { target, credentials } = await memberOf(flags, { stack, log, signal: ending.signal });
  const targets: AgentOptions['targets'] = { kubernetes: target, kubesphere: settings.kubesphere };
  await runAgentProgram(
    { ...settings, certificateAuthority: ca || undefined, token, targets, credentials, version: clientVersion, log },
    ending.signal,
  );
}

function settingsOf(flags: AgentFlags) {
  const { server, tokenFile, proxy, metricsListen, kubesphereAddress } = flags;
  if (!server) throw new UsageError('an agent needs the address of the fleet: --server https://host:port');
  if (!tokenFile) throw new UsageError('an agent needs a token: --token-file FILE, which "fleet join --agent" wrote');
  const transport = transportChoices.find((choice) => choice === flags.transport);
  if (!transport) throw new UsageError(`--transport takes ${transportChoices.join(', ')}, not "${flags.transport}"`);
  if (!logLevels.includes(flags.logLevel)) throw new UsageError(`--log-level takes ${logLevels.join(', ')}`);
  if (proxy && !isProxyUrl(proxy)) throw new UsageError('--proxy takes an http, https or socks5 URL');
  return usage(() => {
    const address = parseServer(server);
    if (metricsListen) parseListen(metricsListen);
    return {
      server: address,
      tokenFile,
      transport,
      proxy: proxy ?? proxyFromEnvironment(address, process.env),
      verifyTls: !flags.insecureSkipTlsVerify,
      metricsListen,
      kubesphere: kubesphereAddress ? hostAndPort(kubesphereAddress) : undefined,
    };
  });
}

function usage<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new UsageError(describe(cause), { cause });
  }
}

function hostAndPort(text: string): TargetAddress {
  const { host, port } = parseListen(text);
  if (host === undefined || port === 0) throw new Error(`${JSON.stringify(text)} is no host:port`);
  return { host, port };
}

function refuseOtherName({ cluster }: AgentToken, name: string | undefined): void {
  if (name !== undefined && name !== cluster)
    throw new UsageError(`--name is "${name}", but the token is for cluster "${cluster}"`);
}

/** A file that was mixed up must not make this member another one. */
function sameCluster(token: AgentToken, { cluster }: AgentToken): AgentToken {
  if (token.cluster === cluster) return token;
  throw new Error(`it holds a token for cluster "${token.cluster}" now, not "${cluster}"`);
}

interface MemberParts {
  stack: AsyncDisposableStack;
  log: AgentLog;
  signal: AbortSignal;
}

/** By a kubeconfig; in a pod by what the manifest mounts. */
async function memberOf(flags: AgentFlags, { stack, log, signal }: MemberParts) {
  const failed = (error: unknown) =>
    log.warn({ reason: describe(error) }, 'credentials cannot be read; the last ones are kept');
  if (!flags.kubeconfig) {
    const target = podApiServer(process.env);
    if (!target) throw new UsageError('outside a pod an agent needs a kubeconfig of the member: --kubeconfig FILE');
    const read = () => readMountedCredentials(flags.credentials);
    const credentials = stack.use(await PolledValue.start<AgentCredentials>({ read, failed, interval: lookAgain }));
    if (!credentials.current()) log.warn({ folder: flags.credentials }, 'there are no credentials yet to hand over');
    return { target, credentials };
  }
  const endpoint = await loadEndpoint(flags.kubeconfig, flags.context);
  const target = targetOf(endpoint);
  const member = new KubeClient(stack.use(PatientUpstream.to(endpoint)), 'fleet-agent');
  const progress = new Progress({ write: (line) => log.info({}, line.trim()) }, {});
  const request = { fleet: undefined, bindAdmins: flags.bindAdmins, throughAgent: true, ...kindsIn(flags) };
  const credentials = await followMember(request, { endpoint, member, progress, signal, failed });
  return { target, credentials: stack.use(credentials) };
}

/** Probes a member once: whether it is ready and, if not, why, in a message that has no addresses (ERR-2). */

import type { Upstream } from '@fleet/client/upstream.ts';
import { versionIn } from '../discovery/kubernetes-version.ts';
import { MemberRefusedError } from '../members/agent-tunnel.ts';
import type { Condition } from '../members/cluster.ts';

export interface Health {
  status: Condition['status'];
  reason: string;
  message: string;
}

const probeDeadline = 3_000;
/** In bytes: `/readyz` and `/version` are a few lines. */
const answerLimit = 1024 * 1024;

export async function probe(upstream: Upstream, signal: AbortSignal): Promise<Health> {
  try {
    let answer = await read(upstream, '/readyz', signal);
    if (answer.status === 404) answer = await read(upstream, '/healthz', signal);
    return healthOf(answer.status);
  } catch (error) {
    if (isOurs(error)) return notAsked;
    if (hasCode(error, 'ERR_ADDRESS_REFUSED')) return refusedAddress;
    if (hasCode(error, 'ERR_NO_AGENT')) return noAgent;
    return refusedMember(error) ?? unreachable(error);
  }
}

export async function readVersion(upstream: Upstream, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { status, body } = await read(upstream, '/version', signal);
    return status === 200 ? versionIn(JSON.parse(body))?.['gitVersion'] : undefined;
  } catch {
    // The next probe reads it again.
    return undefined;
  }
}

async function read(upstream: Upstream, path: string, signal: AbortSignal): Promise<{ status: number; body: string }> {
  const reply = await upstream.call({
    method: 'GET',
    path,
    headers: { 'user-agent': 'fleet' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(probeDeadline)]),
  });
  return { status: reply.status, body: (await reply.body.bytes(answerLimit)).toString() };
}

function healthOf(code: number): Health {
  switch (code) {
    case 200:
      return { status: 'True', reason: 'ClusterReady', message: 'cluster is healthy and ready' };
    case 401:
      return { status: 'False', reason: 'CredentialRefused', message: 'does not accept the credential (401)' };
    case 403:
      return {
        status: 'False',
        reason: 'CredentialRefused',
        message: 'does not grant /readyz to the credential (403)',
      };
    default:
      return {
        status: 'False',
        reason: 'ClusterNotReady',
        message: `answered ${code} to /readyz`,
      };
  }
}

/** A failure of this process, not of the member. */
const notAsked: Health = {
  status: 'Unknown',
  reason: 'ProbeNotPossible',
  message: 'could not be probed: this server is out of files, ports or memory',
};

const ourCodes = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EADDRNOTAVAIL']);

const isOurs = (error: unknown): boolean => [...ourCodes].some((code) => hasCode(error, code));

function hasCode(error: unknown, code: string): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ((cause as { code?: unknown }).code === code) return true;
  }
  return false;
}

/** Counts at once: the member cannot change it (SEC-4). */
export const refusedAddress: Health = {
  status: 'False',
  reason: 'AddressNotAllowed',
  message:
    'has an apiEndpoint or a proxyURL that leads to a link-local address; ' +
    "the server's setting --allowed-link-local allows such addresses",
};

/** With the message of the condition AgentAvailable. */
const noAgent: Health = {
  status: 'False',
  reason: 'AgentNotConnected',
  message: 'is reached through its agent only, and no agent of it is connected',
};

/** It is another member than the registered one. Counts at once, as no request is sent to it (AGENT-9). */
function refusedMember(error: unknown): Health | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof MemberRefusedError) return { status: 'False', reason: cause.reason, message: cause.message };
  }
  return undefined;
}

export const isCertain = (health: Health): boolean => health === refusedAddress || health.reason === 'MemberRefused';

const unreachable = (error: unknown): Health => ({
  status: 'False',
  reason: 'ClusterNotReachable',
  message: `cannot be reached (${causeOf(error)})`,
});

/** By the code alone, as messages contain addresses. */
function causeOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.name === 'TimeoutError') return 'timeout';
    const known = wordsFor(String((cause as { code?: unknown }).code ?? ''));
    if (known) return known;
    if (cause instanceof AggregateError && cause.errors.length > 0) return causeOf(cause.errors[0]);
  }
  return 'connection failed';
}

function wordsFor(code: string): string | undefined {
  switch (code) {
    case 'ECONNREFUSED':
      return 'connection refused';
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return 'timeout';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'unknown host name';
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return 'no route';
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return 'connection closed';
    case 'ERR_AGENT_DIAL':
      return 'its agent cannot reach it';
    case 'ERR_PROXY':
      return 'its proxy is unreachable or refuses';
    case 'CERT_HAS_EXPIRED':
      return 'TLS: its certificate has expired';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return 'TLS: its certificate is for another name';
    default:
      return isTrust(code)
        ? 'TLS: its certificate is not trusted'
        : /^(EPROTO|ERR_(TLS|SSL|OSSL))/.test(code)
          ? 'TLS failed'
          : undefined;
  }
}

const isTrust = (code: string): boolean => /^(UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CERT_)/.test(code);

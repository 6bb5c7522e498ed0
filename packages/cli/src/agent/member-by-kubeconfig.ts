/** Reads the credentials and the address of a member from a kubeconfig, for an agent outside the member (AGENT-10). */

import { PolledValue } from '@fleet/agent/polled-value.ts';
import { addressOf } from '@fleet/client/dial.ts';
import type { Endpoint } from '@fleet/client/https-upstream.ts';
import type { KubeClient } from '@fleet/client/kube-client.ts';
import type { TargetAddress } from '@fleet/tunnel/agent.ts';
import type { AgentCredentials } from '@fleet/tunnel/control-messages.ts';
import { HintedError } from '../errors.ts';
import { get } from '../join/ensure.ts';
import { Journal } from '../join/journal.ts';
import { type Manifest, pathOf } from '../join/manifest.ts';
import { type Account, tokenSecret } from '../join/member-objects.ts';
import { type MemberSideRequest, makeMemberSide } from '../join/member-side.ts';
import { undoAll } from '../join/undo.ts';
import type { Progress } from '../progress.ts';

/** In milliseconds. */
const lookAgain = 30_000;

interface MemberParts {
  endpoint: Endpoint;
  member: KubeClient;
  progress: Progress;
  signal: AbortSignal;
  failed(error: unknown): void;
}

/** The agent connects to it directly, and TLS is the fleet's: what needs more than an address cannot be offered. */
export function targetOf({ url, proxy }: Endpoint): TargetAddress {
  const parsed = new URL(url);
  if (parsed.protocol !== 'https:' || proxy) {
    throw new HintedError(
      'the kubeconfig leads to the member by a proxy, or without TLS, which an agent does not',
      'Run the agent where the API server can be connected by its address',
    );
  }
  return addressOf(parsed);
}

/**
 * Makes what the member needs, as `fleet join` does, and follows the tokens from then on. What is removed later is not made again: it may
 * have been `fleet unjoin`.
 */
export async function followMember(request: MemberSideRequest, parts: MemberParts) {
  const { endpoint, member, progress, signal, failed } = parts;
  const journal = new Journal();
  try {
    await makeMemberSide(request, { member, journal, progress, signal });
  } catch (error) {
    await undoAll(journal, progress);
    throw error;
  }
  const read = () => readCredentials(endpoint, member, signal);
  return PolledValue.start<AgentCredentials>({ read, failed, interval: lookAgain });
}

async function readCredentials(
  endpoint: Endpoint,
  member: KubeClient,
  signal: AbortSignal,
): Promise<AgentCredentials | undefined> {
  const secretOf = (account: Account) => get(member, pathOf(tokenSecret(account)), signal);
  const [control, impersonator] = await Promise.all([secretOf('fleet-control'), secretOf('fleet-impersonator')]);
  const controlToken = textIn(control, 'token');
  const impersonatorToken = textIn(impersonator, 'token');
  if (!controlToken || !impersonatorToken) return undefined;
  // A kubeconfig without a CA is of a public one, or does not verify: the fleet does, with what the member names.
  const caBundle = endpoint.tls.ca ?? textIn(control, 'ca.crt');
  if (!caBundle) throw new Error('neither the kubeconfig nor the Secret fleet-control-token in the member has a CA');
  return { controlToken, impersonatorToken, caBundle };
}

function textIn(secret: Manifest | undefined, key: string): string | undefined {
  const value = (secret?.data as Record<string, string> | undefined)?.[key];
  return value === undefined ? undefined : Buffer.from(value, 'base64').toString();
}

/** Decides who may log in as the agent of a cluster (AGENT-3): by a token in its Secret, or a public key in its Agent. */

import { type Login, type Proof, proofOfHash, proofOfKey } from '@fleet/tunnel/ssh2/logins.ts';
import { matchesSecret } from '@fleet/tunnel/token.ts';
import { type Agent, agentTokenRef } from '../members/agent.ts';
import {
  awaitsCleanUp,
  type Cluster,
  connectionTypeOf,
  isActive,
  type Secret,
  type SecretRef,
} from '../members/cluster.ts';
import { serves } from '../members/credential.ts';

/** Copies of the objects that a login needs: a login sends no request to the control plane. */
export interface LoginSources {
  cluster(name: string): Cluster | undefined;
  secret(ref: SecretRef): Secret | undefined;
  agent(name: string): Agent | undefined;
}

/** Several while a token is rotated. */
const hashKey = /^hash-/;

export class AgentLogins {
  readonly #sources: LoginSources;

  constructor(sources: LoginSources) {
    this.#sources = sources;
  }

  isAllowed(login: Login): boolean {
    const isOpen = this.whyClosed(login.name) === undefined;
    switch (login.by) {
      // Also compared if the cluster does not exist, so that the time taken does not show which clusters exist.
      case 'token':
        return matchesSecret(login.token, this.#hashesOf(login.name)) && isOpen;
      case 'key':
        return this.#keysOf(login.name).some((key) => key.equals(login.publicKey)) && isOpen;
      default:
        return login satisfies never;
    }
  }

  /** Whether the proof of an open connection would still be accepted. */
  isValid(name: string, proof: Proof): boolean {
    const proofs = [...this.#hashesOf(name).map(proofOfHash), ...this.#keysOf(name).map(proofOfKey)];
    return proofs.includes(proof);
  }

  /** Undefined if agents of that cluster may connect; otherwise the reason. */
  whyClosed(name: string): string | undefined {
    const cluster = this.#sources.cluster(name);
    if (!cluster || (cluster.metadata.deletionTimestamp && !awaitsCleanUp(cluster))) return 'the cluster is deleted';
    if (!isActive(cluster)) return 'the cluster is not active';
    return connectionTypeOf(cluster) === 'proxy' ? undefined : 'the cluster is not reached through an agent';
  }

  #hashesOf(name: string): string[] {
    const secret = this.#sources.secret(agentTokenRef(name));
    // The name alone proves nothing: `a-agent-token` may be the credential of a cluster of that name.
    if (!secret || !serves(secret, name)) return [];
    // Only hashes are stored: somebody who can read the control plane must not find a token that is accepted.
    return Object.entries(secret.data ?? {}).flatMap(([key, value]) =>
      hashKey.test(key) ? [Buffer.from(value, 'base64').toString().trim()] : [],
    );
  }

  #keysOf(name: string): Buffer[] {
    return (this.#sources.agent(name)?.spec?.publicKeys ?? []).flatMap(keyOfLine);
  }
}

/** As in authorized_keys. Options before the type are not supported. */
function keyOfLine(line: string): Buffer[] {
  const [type = '', blob = ''] = line.trim().split(/\s+/);
  const isKey = /^(ssh|ecdsa|sk)-/.test(type) && /^[A-Za-z0-9+/]+={0,2}$/.test(blob);
  return isKey ? [Buffer.from(blob, 'base64')] : [];
}

/** Stores the hashes of a cluster's agent tokens in the control plane; there are several during a rotation (AGENT-3). */

import { randomBytes } from 'node:crypto';
import { isStatus, type KubeClient, type KubeObject } from '@fleet/client/kube-client.ts';
import { agentTokenRef } from '@fleet/server/members/agent.ts';
import { type AgentToken, hashSecret, matchesSecret } from '@fleet/tunnel/token.ts';
import { clusterAnnotation, secretsNamespace } from '../cluster.ts';
import { get } from '../join/ensure.ts';
import { remove } from '../join/remove.ts';
import { managed } from '../labels.ts';

const collection = `/api/v1/namespaces/${secretsNamespace}/secrets`;

export const agentTokenPath = (cluster: string): string => `${collection}/${agentTokenRef(cluster).name}`;

type Data = Record<string, string>;

const decoded = (value: string): string => Buffer.from(value, 'base64').toString();

export class AgentTokens {
  readonly #controlPlane: KubeClient;
  readonly #cluster: string;
  readonly #signal: AbortSignal | undefined;

  constructor(controlPlane: KubeClient, cluster: string, signal?: AbortSignal) {
    this.#controlPlane = controlPlane;
    this.#cluster = cluster;
    this.#signal = signal;
  }

  /** Whether an agent can log in with it. */
  async has({ secret }: AgentToken): Promise<boolean> {
    return matchesSecret(secret, Object.values(await this.#read()).map(decoded));
  }

  /** Returns what takes it back. */
  async add({ secret }: AgentToken): Promise<(signal: AbortSignal) => Promise<void>> {
    const key = `hash-${randomBytes(6).toString('hex')}`;
    const data = { [key]: Buffer.from(hashSecret(secret)).toString('base64') };
    // Labels and annotation also where another made it: the server uses no Secret that is not for this cluster.
    const metadata = {
      name: agentTokenRef(this.#cluster).name,
      namespace: secretsNamespace,
      labels: managed,
      annotations: { [clusterAnnotation]: this.#cluster },
    };
    const secretObject = { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata, data };
    try {
      const { metadata: made } = await this.#controlPlane.create<KubeObject>(collection, secretObject, this.#signal);
      return (signal) => remove(this.#controlPlane, agentTokenPath(this.#cluster), { uid: made.uid, signal });
    } catch (error) {
      if (!isStatus(error, 409)) throw error;
    }
    await this.#patch({ metadata: { labels: managed, annotations: metadata.annotations }, data });
    return (signal) =>
      this.#patch({ data: { [key]: null } }, signal).catch((error: unknown) => {
        if (!isStatus(error, 404)) throw error;
      });
  }

  /** Whoever holds another one cannot log in any more. Returns how many there were. */
  async revokeOthers({ secret }: AgentToken): Promise<number> {
    const data = await this.#read();
    const others = Object.keys(data).filter((key) => !matchesSecret(secret, [decoded(data[key]!)]));
    if (others.length > 0) await this.#patch({ data: Object.fromEntries(others.map((key) => [key, null])) });
    return others.length;
  }

  async #read(): Promise<Data> {
    const secret = await get(this.#controlPlane, agentTokenPath(this.#cluster), this.#signal);
    return (secret?.data as Data | undefined) ?? {};
  }

  async #patch(patch: object, signal = this.#signal): Promise<void> {
    await this.#controlPlane.patch(agentTokenPath(this.#cluster), 'merge', patch, signal);
  }
}

/** Stores the credentials that an agent hands over (AGENT-10) as Secrets of its cluster, and refers to them, as `fleet join` does. */

import { X509Certificate } from 'node:crypto';
import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import type { AgentCredentials } from '@fleet/tunnel/control-messages.ts';
import { type Cluster, clustersPath, type Secret, secretsNamespace } from '../members/cluster.ts';
import { clusterAnnotation, serves } from '../members/credential.ts';

const secretsPath = `/api/v1/namespaces/${secretsNamespace}/secrets`;
/** The address of the API server from within any cluster. Its certificate is valid for it. */
const usualEndpoint = 'https://kubernetes.default.svc:443';
const attempts = 5;
/** Limits changes per cluster: this many at once, then one in this many milliseconds. */
const [burst, refill] = [5, 60_000];

/** Its message is sent to the agent. */
export class CredentialsRefusedError extends Error {}

interface Allowance {
  left: number;
  since: number;
}

export class HandedCredentials {
  readonly #controlPlane: KubeClient;
  readonly #now: () => number;
  readonly #allowances = new Map<string, Allowance>();
  /** One at a time per cluster. */
  readonly #last = new Map<string, Promise<void>>();

  constructor(controlPlane: KubeClient, now: () => number = () => performance.now()) {
    this.#controlPlane = controlPlane;
    this.#now = now;
  }

  /** Returns whether anything was written. Rejects with a message for the agent. `check` throws if they must not be stored any more. */
  async store(cluster: string, credentials: AgentCredentials, check: () => void = () => {}): Promise<boolean> {
    const before = this.#last.get(cluster) ?? Promise.resolve();
    const storing = before.then(() => this.#store(cluster, checked(credentials), check));
    const settled = storing.then(
      () => {},
      () => {},
    );
    this.#last.set(cluster, settled);
    try {
      return await storing;
    } catch (error) {
      if (error instanceof CredentialsRefusedError) throw error;
      // The control plane's message is for operators only.
      throw new CredentialsRefusedError('they could not be stored: the log of the server has the reason', {
        cause: error,
      });
    } finally {
      if (this.#last.get(cluster) === settled) this.#last.delete(cluster);
    }
  }

  async #store(
    name: string,
    { caBundle, controlToken, impersonatorToken }: AgentCredentials,
    check: () => void,
  ): Promise<boolean> {
    const desired = [
      { name, data: { token: controlToken, caBundle } },
      { name: `${name}-impersonator`, data: { token: impersonatorToken, caBundle } },
    ].map(({ name, data }) => ({ name, data: encoded(data) }));
    const known = await Promise.all(desired.map(({ name }) => this.#find(name)));
    for (const secret of known) if (secret && !serves(secret, name)) throw ofAnother(secret);
    const changed = desired.filter(({ data }, index) => !holds(known[index], data));
    const cluster = await this.#controlPlane.get<Cluster>(`${clustersPath}/${name}`);
    if (changed.length === 0 && !completion(cluster)) return false;
    // Others were stored first. Meanwhile the token may have been revoked, or the Cluster recreated under the same name.
    check();
    this.#take(name);
    for (const { name: secretName, data } of changed) {
      const index = desired.findIndex((one) => one.name === secretName);
      await this.#put(name, secretName, data, known[index]);
    }
    await this.#complete(name);
    return true;
  }

  #take(cluster: string): void {
    const now = this.#now();
    const { left, since } = this.#allowances.get(cluster) ?? { left: burst, since: now };
    const came = Math.floor((now - since) / refill);
    const most = Math.min(burst, left + came);
    if (most === 0) throw new CredentialsRefusedError('they change too often: this one was not stored');
    this.#allowances.set(cluster, { left: most - 1, since: most === burst ? now : since + came * refill });
  }

  async #find(name: string): Promise<Secret | undefined> {
    try {
      return await this.#controlPlane.get<Secret>(`${secretsPath}/${name}`);
    } catch (error) {
      if (isStatus(error, 404)) return undefined;
      throw error;
    }
  }

  async #put(cluster: string, name: string, data: Record<string, string>, known: Secret | undefined): Promise<void> {
    const annotations = { ...known?.metadata.annotations, [clusterAnnotation]: cluster };
    if (known) {
      // With the resource version that was checked: the Secret may be another cluster's by now.
      await this.#controlPlane.replace(`${secretsPath}/${name}`, {
        ...known,
        data,
        metadata: { ...known.metadata, annotations },
      });
      return;
    }
    const labels = { 'app.kubernetes.io/managed-by': 'fleet' };
    const metadata = { name, annotations, labels };
    await this.#controlPlane.create(secretsPath, { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata, data });
  }

  async #complete(name: string): Promise<void> {
    const path = `${clustersPath}/${name}`;
    for (let attempt = 1; ; attempt++) {
      const cluster = await this.#controlPlane.get<Cluster>(path);
      const spec = completion(cluster);
      if (!spec) return;
      const { resourceVersion } = cluster.metadata;
      try {
        await this.#controlPlane.patch(path, 'merge', { metadata: { resourceVersion }, spec });
        return;
      } catch (error) {
        if (!isStatus(error, 409) || attempt === attempts) throw error;
      }
    }
  }
}

/** The references that the Cluster lacks; undefined if it has them all. */
function completion({ metadata: { name }, spec }: Cluster): Partial<Cluster['spec']> | undefined {
  const refTo = (secret: string) => ({ namespace: secretsNamespace, name: secret });
  const isRef = (ref: Cluster['spec']['secretRef'], secret: string) =>
    ref?.namespace === secretsNamespace && ref.name === secret;
  const missing: Partial<Cluster['spec']> = {
    ...(isRef(spec.secretRef, name) ? {} : { secretRef: refTo(name) }),
    ...(isRef(spec.impersonatorSecretRef, `${name}-impersonator`)
      ? {}
      : { impersonatorSecretRef: refTo(`${name}-impersonator`) }),
    ...(spec.apiEndpoint ? {} : { apiEndpoint: usualEndpoint }),
  };
  return Object.keys(missing).length > 0 ? missing : undefined;
}

const encoded = (data: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]));

const holds = (secret: Secret | undefined, data: Record<string, string>): boolean =>
  Object.keys(secret?.data ?? {}).length === Object.keys(data).length &&
  Object.entries(data).every(([key, value]) => secret?.data?.[key] === value);

const ofAnother = ({ metadata }: Secret): CredentialsRefusedError =>
  new CredentialsRefusedError(`Secret ${secretsNamespace}/${metadata.name} is not one of this cluster`);

/** Stored values are used as a header and as a CA, so they are checked first. */
function checked({ caBundle, controlToken, impersonatorToken }: AgentCredentials): AgentCredentials {
  const [control, impersonator] = [controlToken.trim(), impersonatorToken.trim()];
  if (![control, impersonator].every((token) => /^[\x21-\x7e]+$/.test(token)))
    throw new CredentialsRefusedError('a token is empty or invalid');
  try {
    new X509Certificate(caBundle);
  } catch (cause) {
    throw new CredentialsRefusedError('the CA cannot be read', { cause });
  }
  return { caBundle, controlToken: control, impersonatorToken: impersonator };
}

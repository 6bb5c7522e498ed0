/** Watches the Secrets that Clusters refer to: all in Karmada's namespace, and single ones in other namespaces. */

import { Informer } from '@fleet/client/informer.ts';
import type { KubeClient } from '@fleet/client/kube-client.ts';
import { type Secret, type SecretRef, secretsNamespace } from './cluster.ts';

export interface SecretsOptions {
  client: KubeClient;
  /** Secrets in other namespaces are not read (SEC-4). */
  namespaces: readonly string[];
  /** `namespace/name`. Also called when it is known that the Secret does not exist. */
  onChange: (key: string) => void;
  onError: (error: unknown) => void;
}

interface Followed {
  informer: Informer<Secret>;
  /** Settles when the Secret was read, or reading failed. */
  looked: Promise<void>;
  hasLooked: boolean;
}

export const keyOfRef = ({ namespace, name }: SecretRef): string => `${namespace}/${name}`;

export class Secrets implements AsyncDisposable {
  private readonly options: SecretsOptions;
  private readonly ours: Informer<Secret>;
  private readonly single = new Map<string, Followed>();

  constructor(options: SecretsOptions) {
    this.options = options;
    const { client, onChange, onError } = options;
    this.ours = new Informer<Secret>({ client, path: pathOf(secretsNamespace), onChange, onError });
  }

  /** A Secret that cannot be read must not delay the others. */
  async synced(): Promise<void> {
    await this.ours.synced;
    await Promise.all([...this.single.values()].map(({ looked }) => looked));
  }

  get(ref: SecretRef): Secret | undefined {
    const informer = ref.namespace === secretsNamespace ? this.ours : this.single.get(keyOfRef(ref))?.informer;
    return informer?.get(keyOfRef(ref));
  }

  /** Whether it was looked for, or will never be. Before that, nobody knows whether it exists. */
  looked(ref: SecretRef): boolean {
    const { namespace } = ref;
    if (namespace === secretsNamespace || !this.options.namespaces.includes(namespace)) return true;
    return this.single.get(keyOfRef(ref))?.hasLooked ?? false;
  }

  /** Watches the Secrets that are named outside Karmada's namespace, and stops watching all others. */
  follow(refs: readonly SecretRef[]): void {
    const { namespaces } = this.options;
    const isOutside = ({ namespace }: SecretRef) => namespace !== secretsNamespace && namespaces.includes(namespace);
    const outside = new Map(refs.filter(isOutside).map((ref) => [keyOfRef(ref), ref]));
    for (const [key, { informer }] of this.single) {
      if (outside.has(key)) continue;
      this.single.delete(key);
      informer[Symbol.asyncDispose]().catch(this.options.onError);
    }
    for (const [key, ref] of outside) if (!this.single.has(key)) this.single.set(key, this.watch(key, ref));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const informers = [this.ours, ...[...this.single.values()].map(({ informer }) => informer)];
    await Promise.all(informers.map((informer) => informer[Symbol.asyncDispose]()));
  }

  private watch(key: string, { namespace, name }: SecretRef): Followed {
    const { client, onChange, onError } = this.options;
    const selector = `fieldSelector=${encodeURIComponent(`metadata.name=${name}`)}`;
    const path = `${pathOf(namespace)}?${selector}`;
    const { promise: looked, resolve } = Promise.withResolvers<void>();
    const failed = (error: unknown) => {
      onError(error);
      resolve();
    };
    const informer = new Informer<Secret>({ client, path, onChange, onError: failed });
    const followed: Followed = { informer, looked, hasLooked: false };
    informer.synced.then(resolve, failed);
    looked.then(() => {
      followed.hasLooked = true;
      onChange(key);
    }, onError);
    return followed;
  }
}

const pathOf = (namespace: string): string => `/api/v1/namespaces/${encodeURIComponent(namespace)}/secrets`;

/** What can be done to a member on demand. */
import type { Apiserver } from './apiserver.ts';
import { forgetHistory } from './etcd.ts';
import type { FaultProxy } from './fault-proxy.ts';
import type { Authority } from './pki.ts';
import { revokeTokens } from './revoked-tokens.ts';
import { type ServingCertificate, showCertificate } from './serving-certificate.ts';
import type { Store } from './store.ts';

export interface Faults {
  /** SIGSTOP: accepts connections, answers nothing. */
  freeze(): void;
  thaw(): void;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** SIGTERM, and waits for the end. */
  stop(): Promise<void>;
  /** Again, after kill or stop, with the same data and port; ready when this returns. */
  start(): Promise<void>;
  /** Killed and started again without its history: older versions are 410 Gone. */
  forget(): Promise<void>;
  /** Remembers what it stores as it is now, for `restore`. */
  keep(): Promise<void>;
  /** As from a backup: its API server and etcd are killed and started again with what was kept; versions go back. */
  restore(): Promise<void>;
  /** Another serving certificate for new connections; open ones go on. */
  showCertificate(which: ServingCertificate): Promise<void>;
  /** The long-lived tokens of a namespace's ServiceAccounts, or those in the Secrets named, count no more when this returns. */
  revokeTokens(namespace: string, ...secrets: string[]): Promise<void>;
  /** Only with the option `faults`. */
  readonly proxy: FaultProxy;
}

export interface FaultsSpec {
  member: string;
  folder: string;
  apiserver: Apiserver;
  store: Store;
  authority: Authority;
  proxy: FaultProxy | undefined;
}

export function faultsOf({ member, folder, apiserver, store, authority, proxy }: FaultsSpec): Faults {
  return {
    freeze: () => apiserver.freeze(),
    thaw: () => apiserver.thaw(),
    kill: () => apiserver.kill(),
    stop: () => apiserver.stop(),
    start: () => apiserver.start(),
    async forget() {
      await apiserver.kill();
      await forgetHistory(folder);
      await apiserver.start();
    },
    keep: () => store.keep(),
    async restore() {
      await apiserver.kill();
      await store.restore();
      await apiserver.start();
    },
    showCertificate: (which) => showCertificate({ folder, port: apiserver.port, authority }, which),
    revokeTokens: (namespace, ...secrets) =>
      revokeTokens(apiserver.api, namespace, secrets.length > 0 ? secrets : undefined),
    get proxy() {
      if (!proxy) throw new Error(`${member} was started without { faults: true }`);
      return proxy;
    },
  };
}

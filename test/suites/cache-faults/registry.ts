/** ResourceRegistries in the control plane, and what their status reports (CACHE-2). */

import type { Api } from '@fleet/bed/api.ts';
import { until } from '@fleet/bed/until.ts';

const path = '/apis/search.karmada.io/v1alpha1/resourceregistries';

export interface RegistrySpec {
  targetCluster?: { clusterNames?: string[]; exclude?: string[] };
  resourceSelectors: { apiVersion: string; kind: string; namespace?: string }[];
}

interface Versioned {
  metadata: { resourceVersion?: string };
}

interface Status {
  conditions: { type: string; status: string; reason: string; observedGeneration: number }[];
  resources: { cluster: string; resource?: string; synced: boolean; reason?: string; lastError?: string }[];
}

export interface RegistryReport {
  reason: string;
  /** As `cluster resource reason`, of what is not synced. */
  unwell: string[];
  errors: string[];
}

export class Registries {
  private readonly api: Pick<Api, 'ask' | 'object'>;

  constructor(api: Pick<Api, 'ask' | 'object'>) {
    this.api = api;
  }

  /** Made, or replaced: its status is written meanwhile. */
  async put(name: string, spec: RegistrySpec): Promise<void> {
    await until(`registry ${name} is written`, async () => {
      const known = await this.api.ask(`${path}/${name}`);
      const isKnown = known.code === 200;
      const { resourceVersion } = isKnown ? (JSON.parse(known.body) as Versioned).metadata : {};
      const metadata = { name, ...(resourceVersion ? { resourceVersion } : {}) };
      const body = { apiVersion: 'search.karmada.io/v1alpha1', kind: 'ResourceRegistry', metadata, spec };
      const written = await this.api.ask(isKnown ? `${path}/${name}` : path, {
        method: isKnown ? 'PUT' : 'POST',
        body,
      });
      if (written.code !== 409 && written.code >= 300) throw new Error(`${written.code} ${written.body}`);
      return written.code < 300;
    });
  }

  async remove(name: string): Promise<void> {
    await this.api.object(`${path}/${name}`, { method: 'DELETE' });
  }

  /** Undefined until the status is of what is registered now. */
  async report(name: string): Promise<RegistryReport | undefined> {
    const registry = await this.api.object<{ metadata: { generation: number }; status?: Status }>(`${path}/${name}`);
    const synced = registry.status?.conditions.find(({ type }) => type === 'Synced');
    if (!registry.status || synced?.observedGeneration !== registry.metadata.generation) return undefined;
    const unwell = registry.status.resources.filter((one) => !one.synced);
    return {
      reason: synced.reason,
      unwell: unwell.map(({ cluster, resource, reason }) => `${cluster} ${resource} ${reason}`),
      errors: unwell.map(({ lastError = '' }) => lastError),
    };
  }

  /** Waits for the status to have this reason. */
  async become(name: string, reason: string, timeout = 60_000): Promise<RegistryReport> {
    let last: RegistryReport | undefined;
    const isSo = async () => {
      last = await this.report(name);
      return last?.reason === reason && last;
    };
    return until(`${name} is ${reason}`, isSo, { timeout, every: 200 }).catch((cause: unknown) => {
      throw new Error(`${name} is not ${reason} but ${JSON.stringify(last)}`, { cause });
    });
  }
}

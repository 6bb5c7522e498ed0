/**
 * Allocates cluster IPs and node ports of Services. The stored Services determine what is in use, so nothing leaks. A Service is
 * written only if no other was written since they were read: of several concurrent allocations, one always succeeds.
 */

import { isIPv4 } from 'node:net';
import { invalid } from '../../errors/refusals.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import { asStatusErrors, type Claim, type WriteHooks } from '../../registry/resource-context.ts';
import { keyPrefix } from '../../registry/resource-kind.ts';
import { decodeObject } from '../../registry/stored-object.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { served } from '../served.ts';
import { ipv4Number } from './addresses.ts';
import { allocate, needsAnything, nodePortsOf } from './allocate.ts';
import { settleFamilies } from './ip-families.ts';
import { DryPool, type Pool, StoredPool, type Taken } from './pools.ts';
import { alignClusterIps, keepAllocated } from './service-changes.ts';
import { serviceSpecOf } from './service-spec.ts';

const kind = { group: '', kind: 'Service' };
const prefix = keyPrefix({ ...served('', 'services'), strategy: {} });

/** The ranges for Services: 10.96.0.0/12 and 30000-32767, the defaults of Kubernetes. */
export class ServiceAllocation {
  readonly #store: ObjectStore;
  /** The Services that were read last, by key: only changed ones are read again. */
  #known = new Map<string, { revision: number; taken: Taken }>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  readonly claim: NonNullable<WriteHooks['claim']> = async (object, old, { dryRun }) => {
    const spec = serviceSpecOf(object);
    const before = old && serviceSpecOf(old);
    if (before) keepAllocated(spec, before);
    alignClusterIps(spec, before);
    const wrong = settleFamilies(spec, before);
    if (wrong.length > 0) throw invalid(kind, object.metadata.name!, wrong);
    if (!needsAnything(spec, before)) return nothing;
    const allocateFrom = (pool: Pool): void => allocate(object.metadata.name!, spec, before, pool);
    if (!dryRun) return this.#ordered(old, allocateFrom);
    allocateFrom(new DryPool((await this.#read(old)).taken));
    return nothing;
  };

  /** Serialised, so that requests of one thread do not conflict with each other. */
  async #ordered(old: KubeObject | undefined, allocateFrom: (pool: Pool) => void): Promise<Claim> {
    const turn = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = turn.promise;
    await before;
    try {
      const { taken, revision } = await this.#read(old);
      allocateFrom(new StoredPool(taken));
      return { requires: [{ prefix, revision }], [Symbol.dispose]: turn.resolve };
    } catch (error) {
      turn.resolve();
      throw error;
    }
  }

  /** Everything in use by other Services, and the revision at which they were read. */
  async #read(own: KubeObject | undefined): Promise<{ taken: Taken; revision: number }> {
    const { entries, revision } = await asStatusErrors(this.#store.range({ prefix }));
    const known = new Map(
      entries.map((entry) => {
        const old = this.#known.get(entry.key);
        const taken = old?.revision === entry.revision ? old.taken : takenBy(decodeObject(entry));
        return [entry.key, { revision: entry.revision, taken }];
      }),
    );
    this.#known = known;
    const key = own && `${prefix}${own.metadata.namespace}/${own.metadata.name}`;
    const all = [...known].flatMap(([one, { taken }]) => (one === key ? [] : [taken]));
    const taken = {
      addresses: new Set(all.flatMap(({ addresses }) => [...addresses])),
      ports: new Set(all.flatMap(({ ports }) => [...ports])),
    };
    return { taken, revision };
  }
}

const nothing: Claim = { requires: [], [Symbol.dispose]: () => undefined };

function takenBy(service: KubeObject): Taken {
  const spec = serviceSpecOf(service);
  const { clusterIP, clusterIPs = clusterIP ? [clusterIP] : [], healthCheckNodePort } = spec;
  return {
    addresses: new Set(clusterIPs.filter((address) => isIPv4(address)).map(ipv4Number)),
    ports: new Set([...nodePortsOf(spec), ...(healthCheckNodePort ? [healthCheckNodePort] : [])]),
  };
}

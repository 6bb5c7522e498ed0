/** Computes the CPU and memory usage of a container: plausible, varying, and a pure function of its identity and the time. */

import { parseQuantity } from '@fleet/kube/quantity.ts';
import { noise } from '../noise.ts';
import type { Container } from '../pods/pod.ts';

export interface Usage {
  /** Billionths of a core. */
  nanoCores: bigint;
  kibibytes: bigint;
}

export const nothing: Usage = { nanoCores: 0n, kibibytes: 0n };

export const sumOf = (usages: Iterable<Usage>): Usage => {
  let { nanoCores, kibibytes } = nothing;
  for (const usage of usages) {
    nanoCores += usage.nanoCores;
    kibibytes += usage.kibibytes;
  }
  return { nanoCores, kibibytes };
};

/** In milliseconds: the interval of metrics-server. Within it the numbers do not change. */
export const window = 15_000;

export const windowStart = (now: number): number => Math.floor(now / window) * window;

const kibibyte = 1024;
/** The usage of containers without requests. */
const idleCores = { least: 0.001, more: 0.02 };
const idleMemory = { least: 12 * 1024 * kibibyte, more: 60 * 1024 * kibibyte };
/** In milliseconds: the period of slow variation, short enough for a demo. */
const slowWave = 600_000;
const warmUp = 120_000;

/** `seed` is the container's own; `at` is a time of the clock. */
export function usageOf({ resources = {} }: Container, seed: number, startedAt: number, at: number): Usage {
  const time = windowStart(at);
  const share = (place: number) => noise(seed, place);
  const wave = Math.sin(2 * Math.PI * (time / slowWave + share(1)));
  const flicker = noise(seed + 1, time / window) - 0.5;
  const cores = asked(resources, 'cpu');
  const baseCores = cores ? cores * (0.2 + 0.4 * share(2)) : idleCores.least + idleCores.more * share(3);
  const memory = asked(resources, 'memory');
  const baseMemory = memory ? memory * (0.45 + 0.3 * share(4)) : idleMemory.least + idleMemory.more * share(5);
  // Memory usage grows after the start.
  const grown = 0.6 + 0.4 * Math.min(1, Math.max(0, time - startedAt) / warmUp);
  const used = {
    cores: atMost(baseCores * (1 + 0.25 * wave + 0.3 * flicker), limit(resources, 'cpu')),
    memory: atMost(baseMemory * grown * (1 + 0.04 * wave + 0.02 * flicker), limit(resources, 'memory')),
  };
  return {
    nanoCores: BigInt(Math.max(1, Math.round(used.cores * 1e9))),
    kibibytes: BigInt(Math.max(1, Math.floor(used.memory / kibibyte))),
  };
}

type Resources = NonNullable<Container['resources']>;
type Name = 'cpu' | 'memory';

const numberOf = (quantity: string | undefined): number | undefined =>
  quantity === undefined ? undefined : Number(parseQuantity(quantity).nano) / 1e9;

const limit = ({ limits = {} }: Resources, name: Name): number => numberOf(limits[name]) || Number.POSITIVE_INFINITY;

/** A resource with a limit and no request has its limit as the request. */
const asked = ({ requests = {}, limits = {} }: Resources, name: Name): number | undefined =>
  numberOf(requests[name] ?? limits[name]);

/** Just below the limit: above it a container would be throttled, or killed. */
const atMost = (value: number, limit: number): number => Math.min(value, limit * 0.98);

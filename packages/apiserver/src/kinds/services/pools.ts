/** The pools of free addresses in 10.96.0.0/12 and ports in 30000-32767. */

import { randomInt } from 'node:crypto';
import { ipv4Number, ipv4Text } from './addresses.ts';

export interface Taken {
  addresses: ReadonlySet<number>;
  ports: ReadonlySet<number>;
}

/** Allocates a free value, or returns the error for a requested one. */
export interface Pool {
  address(): string;
  addressFault(address: string): string | undefined;
  port(): number;
  portFault(port: number): string | undefined;
}

export class FullError extends Error {}

interface Band {
  first: number;
  last: number;
  /** Values below it are allocated last: they are reserved for explicit requests. */
  dynamic: number;
}

const addresses: Band = {
  first: ipv4Number('10.96.0.1'),
  last: ipv4Number('10.111.255.254'),
  dynamic: ipv4Number('10.96.1.1'),
};
const ports: Band = { first: 30_000, last: 32_767, dynamic: 30_086 };

/** Random, so that a released value is not reused immediately. */
function freeIn({ first, last, dynamic }: Band, taken: ReadonlySet<number>): number {
  const spans: [number, number][] = [
    [dynamic, last],
    [first, dynamic - 1],
  ];
  for (const [from, to] of spans) {
    const size = to - from + 1;
    const start = randomInt(size);
    for (let step = 0; step < size; step += 1) {
      const one = from + ((start + step) % size);
      if (!taken.has(one)) return one;
    }
  }
  throw new FullError('range is full');
}

const isWithin = ({ first, last }: Band, one: number): boolean => one >= first && one <= last;

const allocatedPort = 'provided port is already allocated';

export class StoredPool implements Pool {
  readonly #addresses: Set<number>;
  readonly #ports: Set<number>;

  constructor(taken: Taken) {
    this.#addresses = new Set(taken.addresses);
    this.#ports = new Set(taken.ports);
  }

  address(): string {
    const free = freeIn(addresses, this.#addresses);
    this.#addresses.add(free);
    return ipv4Text(free);
  }

  addressFault(address: string): string | undefined {
    const number = ipv4Number(address);
    if (!isWithin(addresses, number)) return 'the provided network does not match the current range';
    if (this.#addresses.has(number)) return 'provided IP is already allocated';
    this.#addresses.add(number);
    return undefined;
  }

  port(): number {
    const free = freeIn(ports, this.#ports);
    this.#ports.add(free);
    return free;
  }

  portFault(port: number): string | undefined {
    if (!isWithin(ports, port))
      return `provided port is not in the valid range. The range of valid ports is ${ports.first}-${ports.last}`;
    if (this.#ports.has(port)) return allocatedPort;
    this.#ports.add(port);
    return undefined;
  }
}

/** For a dry run: the allocated values are placeholders, as in kube-apiserver. */
export class DryPool implements Pool {
  readonly #taken: Taken;
  readonly #own = new Set<number>();
  #last = 0;

  constructor(taken: Taken) {
    this.#taken = taken;
  }

  address(): string {
    return '10.96.0.0';
  }

  addressFault(address: string): string | undefined {
    return isWithin(addresses, ipv4Number(address))
      ? undefined
      : `the provided IP (${address}) is not in the valid range. The range of valid IPs is 10.96.0.0/12`;
  }

  port(): number {
    this.#take((this.#own.size === 0 ? 32_768 : this.#last) + 1);
    return this.#last;
  }

  portFault(port: number): string | undefined {
    if (this.#taken.ports.has(port) || this.#own.has(port)) return allocatedPort;
    this.#take(port);
    return undefined;
  }

  #take(port: number): void {
    this.#own.add(port);
    this.#last = Math.max(this.#last, port);
  }
}

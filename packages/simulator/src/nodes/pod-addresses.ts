/** Allocates the addresses of one node's pods from its own block, so that no two pods of a cluster share one. */

const textOf = (address: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');

const numberOf = (text: string): number => text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

/** Most clusters use 10.244.0.0/16; large ones continue after it. */
const firstBlock = numberOf('10.244.0.0');
/** The network's own address, the gateway and the broadcast address. */
const reserved = 3;

export class PodAddresses {
  readonly cidr: string;
  readonly #first: number;
  readonly #size: number;
  /** By index in the block, the uid of the pod that has the address. */
  readonly #owners = new Map<number, string>();
  #next = 2;

  /** `index` is that of the node; `pods` is its maximum number of pods. */
  constructor(index: number, pods: number) {
    const bits = Math.max(8, Math.ceil(Math.log2(pods + reserved)));
    this.#size = 2 ** bits;
    this.#first = firstBlock + index * this.#size;
    this.cidr = `${textOf(this.#first)}/${32 - bits}`;
  }

  /** Round robin, so that an address is not reused immediately. */
  allocate(owner: string): string {
    for (let tried = 0; tried < this.#size; tried++) {
      const offset = this.#next;
      this.#next = offset + 1 >= this.#size - 1 ? 2 : offset + 1;
      if (this.#owners.has(offset)) continue;
      this.#owners.set(offset, owner);
      return textOf(this.#first + offset);
    }
    throw new RangeError(`no address left in ${this.cidr}`);
  }

  /** Reserves the address of a pod that ran before this process. */
  take(address: string, owner: string): void {
    const offset = numberOf(address) - this.#first;
    if (!this.#owners.has(offset)) this.#owners.set(offset, owner);
  }

  /** Does nothing if another pod has it now. */
  release(address: string, owner: string): void {
    const offset = numberOf(address) - this.#first;
    if (this.#owners.get(offset) === owner) this.#owners.delete(offset);
  }
}

export const nodeAddress = (index: number): string => textOf(numberOf('172.18.0.2') + index);

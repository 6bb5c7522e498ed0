/** Parses IP addresses and CIDRs as Go's lenient parsers do: also with leading zeros, which Kubernetes then refuses. */

export interface IpAddress {
  /** IPv4, even if it is written as IPv6. */
  isV4: boolean;
  /** Has leading zeros, which some parsers take for octal. */
  hasZeros: boolean;
  /** IPv4, written as IPv6. */
  isMapped: boolean;
  /** 4 or 16 numbers. */
  bytes: readonly number[];
}

export interface IpRange {
  address: IpAddress;
  bits: number;
  /** The prefix length has leading zeros. */
  hasZeros: boolean;
}

export function parseIp(text: string): IpAddress | undefined {
  const plain = parseV4(text);
  if (plain) return { isV4: true, isMapped: false, ...plain };
  const long = parseV6(text);
  if (!long) return undefined;
  const { bytes, hasZeros } = long;
  const isMapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;
  return { isV4: isMapped, isMapped, hasZeros, bytes: isMapped ? bytes.slice(12) : bytes };
}

export function parseIpRange(text: string): IpRange | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return undefined;
  const address = parseIp(text.slice(0, slash));
  const length = text.slice(slash + 1);
  if (!address || !/^[0-9]{1,6}$/.test(length)) return undefined;
  const bits = Number(length);
  return bits > (address.isV4 && !address.isMapped ? 32 : 128)
    ? undefined
    : { address, bits, hasZeros: length.length > 1 && length.startsWith('0') };
}

type Parsed = Pick<IpAddress, 'bytes' | 'hasZeros'>;

function parseV4(text: string): Parsed | undefined {
  const parts = text.split('.', 5);
  if (parts.length !== 4 || !parts.every((part) => /^[0-9]{1,9}$/.test(part) && Number(part) <= 255)) return undefined;
  return { bytes: parts.map(Number), hasZeros: parts.some((part) => part.length > 1 && part.startsWith('0')) };
}

const longestText = 64;

function parseV6(text: string): Parsed | undefined {
  if (text.length > longestText || !text.includes(':')) return undefined;
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const parsed = halves.map((half, index) => groupsOf(half, index === halves.length - 1));
  if (parsed.includes(undefined)) return undefined;
  const [head, tail] = parsed as Parsed[];
  const hasZeros = [head, tail].some((half) => half?.hasZeros);
  if (!tail) return head!.bytes.length === 16 ? { bytes: head!.bytes, hasZeros } : undefined;
  const missing = 16 - head!.bytes.length - tail.bytes.length;
  return missing < 2
    ? undefined
    : { bytes: [...head!.bytes, ...new Array<number>(missing).fill(0), ...tail.bytes], hasZeros };
}

/** The last group may be an IPv4 address. */
function groupsOf(text: string, isEnd: boolean): Parsed | undefined {
  if (text === '') return { bytes: [], hasZeros: false };
  const groups = text.split(':');
  const last = groups.at(-1)!;
  const v4 = isEnd && last.includes('.') ? parseV4(last) : undefined;
  const plain = v4 ? groups.slice(0, -1) : groups;
  if (!plain.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return undefined;
  const bytes = plain.flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
  return { bytes: [...bytes, ...(v4?.bytes ?? [])], hasZeros: v4?.hasZeros ?? false };
}

/** The canonical form (RFC 5952). */
export function ipText({ isV4, bytes }: Pick<IpAddress, 'isV4' | 'bytes'>): string {
  if (isV4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, index) => (bytes[2 * index]! << 8) | bytes[2 * index + 1]!);
  const run = longestZeros(groups);
  const hex = (list: number[]): string => list.map((group) => group.toString(16)).join(':');
  return run.length < 2
    ? hex(groups)
    : `${hex(groups.slice(0, run.start))}::${hex(groups.slice(run.start + run.length))}`;
}

function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let longest = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start += 1) {
    let end = start;
    while (groups[end] === 0) end += 1;
    if (end - start > longest.length) longest = { start, length: end - start };
  }
  return longest;
}

/** The first address of the CIDR, with all host bits cleared. */
export function maskedOf({ address, bits }: IpRange): IpAddress {
  const own = address.isMapped ? Math.max(0, bits - 96) : bits;
  const bytes = address.bytes.map((byte, index) => {
    const kept = Math.min(8, Math.max(0, own - 8 * index));
    return byte & (0xff << (8 - kept)) & 0xff;
  });
  return { ...address, bytes };
}

export const sameBytes = (one: IpAddress, other: IpAddress): boolean =>
  one.bytes.length === other.bytes.length && one.bytes.every((byte, index) => byte === other.bytes[index]);

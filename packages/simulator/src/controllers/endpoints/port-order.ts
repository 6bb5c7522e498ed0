/** Orders ports in Endpoints and EndpointSlices: Kubernetes sorts them by a hash of their Go dump. */

interface Port {
  name?: string;
  port: number;
  protocol: string;
  appProtocol?: string;
}

const appProtocolText = ({ appProtocol }: Port): string => `AppProtocol:(*string)${appProtocol ?? '<nil>'}}`;

/** The 128-bit FNV-1a of a text in hexadecimal. In parts of 32 bits, as bigints are several times slower. */
export function fnv128a(text: string): string {
  let a = 0x6c62272e;
  let b = 0x07bb0142;
  let c = 0x62b82175;
  let d = 0x6295c58d;
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 1) {
    const old = (d ^ bytes[at]!) >>> 0;
    // Multiplied by the prime, 2^88 + 0x13b: the excess over 32 bits is carried to the next part.
    const last = old * 0x13b;
    const third = c * 0x13b + (last - (last >>> 0)) / 0x1_0000_0000;
    const second = b * 0x13b + ((old << 24) >>> 0) + (third - (third >>> 0)) / 0x1_0000_0000;
    const first = a * 0x13b + (old >>> 8) + ((c << 24) >>> 0) + (second - (second >>> 0)) / 0x1_0000_0000;
    a = first >>> 0;
    b = second >>> 0;
    c = third >>> 0;
    d = last >>> 0;
  }
  return [a, b, c, d].map((part) => part.toString(16).padStart(8, '0')).join('');
}

/** Sorts by the 128-bit FNV of each port's dump. */
const sortedBy = <T extends Port>(ports: readonly T[], dumpOf: (port: T) => string): T[] =>
  ports.length < 2
    ? [...ports]
    : ports
        .map((port) => ({ port, hash: fnv128a(dumpOf(port)) }))
        .sort((left, right) => (left.hash < right.hash ? -1 : 1))
        .map(({ port }) => port);

/** Ports of discovery.k8s.io/v1, whose fields are pointers. */
export const sortedSlicePorts = <T extends Port>(ports: readonly T[]): T[] =>
  sortedBy(
    ports,
    (port) =>
      `(v1.EndpointPort){Name:(*string)${port.name ?? ''} Protocol:(*v1.Protocol)${port.protocol} Port:(*int32)${port.port} ${appProtocolText(port)}`,
  );

/** Ports of core/v1 Endpoints. */
export const sortedSubsetPorts = <T extends Port>(ports: readonly T[]): T[] =>
  sortedBy(
    ports,
    (port) =>
      `(v1.EndpointPort){Name:(string)${port.name ?? ''} Port:(int32)${port.port} Protocol:(v1.Protocol)${port.protocol} ${appProtocolText(port)}`,
  );

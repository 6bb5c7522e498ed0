/** The order of ports in Endpoints and EndpointSlices, which Kubernetes sorts by a hash of Go's dump of them. */

interface Port {
  name?: string;
  port: number;
  protocol: string;
  appProtocol?: string;
}

const appProtocolText = ({ appProtocol }: Port): string => `AppProtocol:(*string)${appProtocol ?? '<nil>'}}`;

const prime128 = 0x0000000001000000000000000000013bn;
const offset128 = 0x6c62272e07bb014262b821756295c58dn;

function fnv128a(text: string): bigint {
  let hash = offset128;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(128, (hash ^ BigInt(byte)) * prime128);
  return hash;
}

/** By FNV of 128 bits. */
const sortedBy = <T extends Port>(ports: readonly T[], dumpOf: (port: T) => string): T[] =>
  ports.length < 2
    ? [...ports]
    : ports
        .map((port) => ({ port, hash: fnv128a(dumpOf(port)) }))
        .sort((left, right) => (left.hash < right.hash ? -1 : 1))
        .map(({ port }) => port);

/** Of discovery.k8s.io/v1, whose fields are pointers. */
export const sortedSlicePorts = <T extends Port>(ports: readonly T[]): T[] =>
  sortedBy(
    ports,
    (port) =>
      `(v1.EndpointPort){Name:(*string)${port.name ?? ''} Protocol:(*v1.Protocol)${port.protocol} Port:(*int32)${port.port} ${appProtocolText(port)}`,
  );

/** Of core/v1. */
export const sortedSubsetPorts = <T extends Port>(ports: readonly T[]): T[] =>
  sortedBy(
    ports,
    (port) =>
      `(v1.EndpointPort){Name:(string)${port.name ?? ''} Port:(int32)${port.port} Protocol:(v1.Protocol)${port.protocol} ${appProtocolText(port)}`,
  );

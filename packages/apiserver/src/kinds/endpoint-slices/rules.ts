/** Validates EndpointSlices (Kubernetes' `discovery/validation`). */

import {
  duplicateValue,
  type FieldError,
  invalidValue,
  notSupported,
  required,
  tooMany,
} from '../../errors/field-error.ts';
import { dnsLabelFaults, dnsSubdomainFaults, labelKeyFaults, labelValueFaults } from '../../names/name-rules.ts';
import { fullDomainErrors } from '../rules/domain-names.ts';
import { immutableErrors, isSame } from '../rules/equality.ts';
import { parseIp } from '../rules/ip-address.ts';
import { endpointIpErrors, ipErrors, strictIpErrors } from '../rules/ip-rules.ts';

interface Port {
  name?: string;
  port?: number;
  protocol?: string;
  appProtocol?: string;
}

export interface Endpoint {
  /** Null where Go writes a nil slice. */
  addresses?: string[] | null;
  nodeName?: string;
  hostname?: string;
  hints?: { forZones?: { name: string }[]; forNodes?: { name: string }[] };
  deprecatedTopology?: Record<string, string>;
}

export interface EndpointSlice {
  addressType?: string;
  ports?: Port[] | null;
  endpoints?: Endpoint[] | null;
}

const addressTypes = ['FQDN', 'IPv4', 'IPv6'];
const protocols = ['SCTP', 'TCP', 'UDP'];
const most = { ports: 20_000, endpoints: 1000, addresses: 100, hints: 8 } as const;

export function endpointSliceErrors(slice: EndpointSlice, old?: EndpointSlice): FieldError[] {
  const { addressType = '', ports, endpoints } = slice;
  const found = endpointsErrors(endpoints ?? [], addressType);
  // Older versions of Kubernetes accepted more.
  const isKept = found.length > 0 && old !== undefined && isSame(endpoints, old.endpoints);
  return [
    ...(addressType === '' ? [required('addressType')] : []),
    ...(addressType === '' || addressTypes.includes(addressType)
      ? []
      : [notSupported('addressType', addressType, addressTypes)]),
    ...portsErrors(ports ?? []),
    ...(isKept ? [] : found),
    ...(old ? immutableErrors(addressType, old.addressType ?? '', 'addressType') : []),
  ];
}

function portsErrors(ports: readonly Port[]): FieldError[] {
  if (ports.length > most.ports) return [tooMany('ports', ports.length, most.ports)];
  const names = new Set<string>();
  return ports.flatMap(({ name = '', protocol, appProtocol }, index) => {
    const at = `ports[${index}]`;
    const isAgain = names.has(name);
    names.add(name);
    return [
      ...(name === '' ? [] : dnsLabelFaults(name)).map((fault) => invalidValue(`${at}.name`, name, fault)),
      ...(isAgain ? [duplicateValue(`${at}.name`, name)] : []),
      ...(protocol === undefined ? [required(`${at}.protocol`)] : []),
      ...(protocol === undefined || protocols.includes(protocol)
        ? []
        : [notSupported(`${at}.protocol`, protocol, protocols)]),
      ...(appProtocol === undefined ? [] : labelKeyFaults(appProtocol)).map((fault) =>
        invalidValue(`${at}.appProtocol`, appProtocol, fault),
      ),
    ];
  });
}

function endpointsErrors(endpoints: readonly Endpoint[], addressType: string): FieldError[] {
  if (endpoints.length > most.endpoints) return [tooMany('endpoints', endpoints.length, most.endpoints)];
  return endpoints.flatMap(({ addresses, nodeName, hostname, hints }, index) => {
    const at = `endpoints[${index}]`;
    return [
      ...addressesErrors(addresses ?? [], addressType, `${at}.addresses`),
      ...(nodeName === undefined ? [] : dnsSubdomainFaults(nodeName)).map((fault) =>
        invalidValue(`${at}.nodeName`, nodeName, fault),
      ),
      ...(hostname === undefined ? [] : dnsLabelFaults(hostname)).map((fault) =>
        invalidValue(`${at}.hostname`, hostname, fault),
      ),
      ...hintErrors(hints ?? {}, `${at}.hints`),
    ];
  });
}

function addressesErrors(addresses: readonly string[], type: string, at: string): FieldError[] {
  return [
    ...(addresses.length === 0 ? [required(at, 'must contain at least 1 address')] : []),
    ...(addresses.length > most.addresses ? [tooMany(at, addresses.length, most.addresses)] : []),
    ...addresses.flatMap((address, index) => addressErrors(address, type, at, `${at}[${index}]`)),
  ];
}

function addressErrors(address: string, type: string, list: string, at: string): FieldError[] {
  if (type === 'FQDN') return fullDomainErrors(address, at);
  if (type !== 'IPv4' && type !== 'IPv6') return [];
  const errors = type === 'IPv4' ? ipErrors(address, at) : strictIpErrors(address, at);
  if (errors.length > 0) return errors;
  const isOther = parseIp(address)!.isV4 !== (type === 'IPv4');
  return [
    ...(isOther ? [invalidValue(list, address, `must be an ${type} address`)] : []),
    ...endpointIpErrors(address, at),
  ];
}

function hintErrors({ forZones = [], forNodes = [] }: NonNullable<Endpoint['hints']>, at: string): FieldError[] {
  if (forZones.length > most.hints) return [tooMany(`${at}.forZones`, forZones.length, most.hints)];
  const zones = namesErrors(forZones, `${at}.forZones`, labelValueFaults);
  if (forNodes.length > most.hints) return [...zones, tooMany(`${at}.forNodes`, forNodes.length, most.hints)];
  return [...zones, ...namesErrors(forNodes, `${at}.forNodes`, dnsSubdomainFaults)];
}

const namesErrors = (
  list: readonly { name: string }[],
  at: string,
  faultsOf: (name: string) => string[],
): FieldError[] =>
  list.flatMap(({ name }, index) => [
    ...(list.findIndex((one) => one.name === name) < index ? [duplicateValue(`${at}[${index}].name`, name)] : []),
    ...faultsOf(name).map((fault) => invalidValue(`${at}[${index}].name`, name, fault)),
  ]);

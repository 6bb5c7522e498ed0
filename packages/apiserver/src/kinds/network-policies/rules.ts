/** Validates NetworkPolicies (Kubernetes' `networking/validation`). */

import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '../../errors/field-error.ts';
import type { SelectorObject } from '../../selectors/selector-object.ts';
import { labelSelectorErrors } from '../label-selector-rules.ts';
import type { IntOrString } from '../rules/int-or-percent.ts';
import { maskedOf, parseIpRange, sameBytes } from '../rules/ip-address.ts';
import { ipRangeErrors, ipRangeWarnings } from '../rules/ip-rules.ts';
import { portNameFaults, portNumberFaults } from '../rules/ports.ts';

interface Port {
  protocol?: string;
  port?: IntOrString;
  endPort?: number;
}

interface IpBlock {
  cidr?: string;
  except?: string[];
}

interface Peer {
  podSelector?: SelectorObject;
  namespaceSelector?: SelectorObject;
  ipBlock?: IpBlock;
}

export interface NetworkPolicySpec {
  podSelector?: SelectorObject;
  ingress?: { ports?: Port[]; from?: Peer[] }[];
  egress?: { ports?: Port[]; to?: Peer[] }[];
  policyTypes?: string[];
}

const protocols = ['TCP', 'UDP', 'SCTP'];
const policyTypes = ['Ingress', 'Egress'];

/** Rules of both directions, with their paths. */
const directions = ({ ingress = [], egress = [] }: NetworkPolicySpec) => [
  ...ingress.map(({ ports = [], from = [] }, index) => ({
    at: `spec.ingress[${index}]`,
    ports,
    to: 'from',
    peers: from,
  })),
  ...egress.map(({ ports = [], to = [] }, index) => ({ at: `spec.egress[${index}]`, ports, to: 'to', peers: to })),
];

const blocks = (spec: NetworkPolicySpec) =>
  directions(spec).flatMap(({ at, to, peers }) =>
    peers.flatMap(({ ipBlock }, index) => (ipBlock ? [{ at: `${at}.${to}[${index}].ipBlock`, ...ipBlock }] : [])),
  );

/** CIDRs of the old policy stay valid. */
export function networkPolicyErrors(spec: NetworkPolicySpec, old?: NetworkPolicySpec): FieldError[] {
  const known = new Set(old ? blocks(old).flatMap(({ cidr = '', except = [] }) => [cidr, ...except]) : []);
  return [
    ...labelSelectorErrors(spec.podSelector ?? {}, 'spec.podSelector'),
    ...directions(spec).flatMap(({ at, ports, to, peers }) => [
      ...ports.flatMap((port, index) => portErrors(port, `${at}.ports[${index}]`)),
      ...peers.flatMap((peer, index) => peerErrors(peer, `${at}.${to}[${index}]`, known)),
    ]),
    ...typeErrors(spec.policyTypes ?? [], 'spec.policyTypes'),
  ];
}

function portErrors({ protocol, port, endPort }: Port, at: string): FieldError[] {
  return [
    ...(protocol === undefined || protocols.includes(protocol)
      ? []
      : [notSupported(`${at}.protocol`, protocol, protocols)]),
    ...(typeof port === 'number' ? numberErrors(port, endPort, at) : nameErrors(port, endPort, at)),
  ];
}

function numberErrors(port: number, endPort: number | undefined, at: string): FieldError[] {
  const errors = portNumberFaults(port).map((fault) => invalidValue(`${at}.port`, port, fault));
  if (endPort === undefined) return errors;
  return [
    ...errors,
    ...(endPort < port ? [invalidValue(`${at}.endPort`, port, 'must be greater than or equal to `port`')] : []),
    ...portNumberFaults(endPort).map((fault) => invalidValue(`${at}.endPort`, endPort, fault)),
  ];
}

function nameErrors(name: string | undefined, endPort: number | undefined, at: string): FieldError[] {
  const why = name === undefined ? 'not specified' : 'non-numeric';
  return [
    ...(endPort === undefined
      ? []
      : [invalidValue(`${at}.endPort`, endPort, `may not be specified when \`port\` is ${why}`)]),
    ...(name === undefined ? [] : portNameFaults(name)).map((fault) => invalidValue(`${at}.port`, name, fault)),
  ];
}

function peerErrors(
  { podSelector, namespaceSelector, ipBlock }: Peer,
  at: string,
  known: ReadonlySet<string>,
): FieldError[] {
  const count = [podSelector, namespaceSelector, ipBlock].filter((one) => one !== undefined).length;
  return [
    ...labelSelectorErrors(podSelector ?? {}, `${at}.podSelector`),
    ...labelSelectorErrors(namespaceSelector ?? {}, `${at}.namespaceSelector`),
    ...(ipBlock ? blockErrors(ipBlock, `${at}.ipBlock`, known) : []),
    ...(count === 0 ? [required(at, 'must specify a peer')] : []),
    ...(count > 1 && ipBlock ? [forbiddenField(at, 'may not specify both ipBlock and another peer')] : []),
  ];
}

function blockErrors({ cidr = '', except = [] }: IpBlock, at: string, known: ReadonlySet<string>): FieldError[] {
  if (cidr === '') return [required(`${at}.cidr`)];
  const errors = ipRangeErrors(cidr, `${at}.cidr`, known);
  const whole = parseIpRange(cidr);
  if (!whole) return errors;
  const isInside = (text: string): boolean => {
    const part = parseIpRange(text);
    if (!part) return true;
    const first = maskedOf({ ...part, bits: whole.bits });
    return whole.bits < part.bits && sameBytes(first, maskedOf(whole));
  };
  return [
    ...errors,
    ...except.flatMap((text, index) => [
      ...ipRangeErrors(text, `${at}.except[${index}]`, known),
      ...(isInside(text) ? [] : [invalidValue(`${at}.except[${index}]`, text, 'must be a strict subset of `cidr`')]),
    ]),
  ];
}

function typeErrors(types: readonly string[], at: string): FieldError[] {
  if (types.length > policyTypes.length) return [invalidValue(at, types, 'may not specify more than two policyTypes')];
  return types.flatMap((type, index) =>
    policyTypes.includes(type) ? [] : [notSupported(`${at}[${index}]`, type, policyTypes)],
  );
}

export const networkPolicyWarnings = (spec: NetworkPolicySpec): string[] =>
  blocks(spec).flatMap(({ at, cidr = '', except = [] }) => [
    ...ipRangeWarnings(cidr, `${at}.cidr`),
    ...except.flatMap((text, index) => ipRangeWarnings(text, `${at}.except[${index}]`)),
  ]);

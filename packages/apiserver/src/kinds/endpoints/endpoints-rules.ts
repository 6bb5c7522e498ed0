/** Validates Endpoints (`validateEndpointSubsets`). */

import { type FieldError, required } from '../../errors/field-error.ts';
import { dnsLabelFaults, dnsSubdomainFaults } from '../../names/name-rules.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import { enumErrors, faultsAt, portNumberErrors, protocols } from '../field-rules.ts';
import { endpointIpErrors, ipErrors } from '../services/addresses.ts';

interface Address {
  ip: string;
  hostname?: string;
  nodeName?: string;
}

interface Subset {
  addresses?: Address[];
  notReadyAddresses?: Address[];
  ports?: { name?: string; port: number; protocol?: string }[];
}

function addressErrors({ ip, hostname, nodeName }: Address, at: string): FieldError[] {
  const wrong = ipErrors(`${at}.ip`, ip);
  return [
    ...wrong,
    ...(hostname ? faultsAt(`${at}.hostname`, hostname, dnsLabelFaults(hostname)) : []),
    ...(nodeName !== undefined ? faultsAt(`${at}.nodeName`, nodeName, dnsSubdomainFaults(nodeName)) : []),
    ...endpointIpErrors(`${at}.ip`, ip),
  ];
}

export const endpointsErrors = ({ subsets }: KubeObject): FieldError[] =>
  ((subsets ?? []) as Subset[]).flatMap(({ addresses = [], notReadyAddresses = [], ports = [] }, index) => {
    const at = `subsets[${index}]`;
    return [
      ...(addresses.length === 0 && notReadyAddresses.length === 0
        ? [required(at, 'must specify `addresses` or `notReadyAddresses`')]
        : []),
      ...addresses.flatMap((one, place) => addressErrors(one, `${at}.addresses[${place}]`)),
      ...notReadyAddresses.flatMap((one, place) => addressErrors(one, `${at}.notReadyAddresses[${place}]`)),
      ...ports.flatMap(({ name = '', port, protocol }, place) => [
        ...(name === '' && ports.length > 1 ? [required(`${at}.ports[${place}].name`)] : []),
        ...(name === '' ? [] : faultsAt(`${at}.ports[${place}].name`, name, dnsLabelFaults(name))),
        ...portNumberErrors(`${at}.ports[${place}].port`, port),
        ...enumErrors(`${at}.ports[${place}].protocol`, protocol, protocols),
      ]),
    ];
  });

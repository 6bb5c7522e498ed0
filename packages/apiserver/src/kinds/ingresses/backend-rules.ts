/** Validates the paths and backends of an Ingress. */

import { type FieldError, invalidValue, notSupported, required } from '../../errors/field-error.ts';
import { dnsLabelFaults, dnsSubdomainFaults, pathSegmentFaults } from '../../names/name-rules.ts';
import { portNameFaults, portNumberFaults } from '../rules/ports.ts';
import type { Backend, HttpPath } from './ingress.ts';

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];
const badSequences = ['//', '/./', '/../', '%2f', '%2F'];
const badEnds = ['/..', '/.'];

export function pathsErrors(paths: readonly HttpPath[], at: string): FieldError[] {
  if (paths.length === 0) return [required(at)];
  return paths.flatMap((path, index) => pathErrors(path, `${at}[${index}]`));
}

function pathErrors({ path = '', pathType, backend }: HttpPath, at: string): FieldError[] {
  if (pathType === undefined || pathType === null) return [required(`${at}.pathType`, 'pathType must be specified')];
  const refuse = (why: string) => invalidValue(`${at}.path`, path, why);
  const isRelative = !path.startsWith('/');
  const absolute = [refuse('must be an absolute path')];
  return [
    ...(pathType === 'ImplementationSpecific' && path !== '' && isRelative ? absolute : []),
    ...(['Exact', 'Prefix'].includes(pathType)
      ? [
          ...(isRelative ? absolute : []),
          ...badSequences.filter((text) => path.includes(text)).map((text) => refuse(`must not contain '${text}'`)),
          ...badEnds.filter((text) => path.endsWith(text)).map((text) => refuse(`cannot end with '${text}'`)),
        ]
      : []),
    ...(pathTypes.includes(pathType) ? [] : [notSupported(`${at}.pathType`, pathType, pathTypes)]),
    ...backendErrors(backend, `${at}.backend`),
  ];
}

export function backendErrors({ service, resource }: Backend, at: string): FieldError[] {
  if (service && resource) return [invalidValue(at, '', 'cannot set both resource and service backends')];
  if (resource) return resourceErrors(resource, `${at}.resource`);
  if (!service) return [invalidValue(at, '', 'resource or service backend is required')];
  const { name = '', port = {} } = service;
  return [
    ...(name === ''
      ? [required(`${at}.service.name`)]
      : dnsLabelFaults(name).map((fault) => invalidValue(`${at}.service.name`, name, fault))),
    ...portErrors(port, at),
  ];
}

function portErrors({ name = '', number = 0 }: { name?: string; number?: number }, at: string): FieldError[] {
  if (name !== '' && number !== 0) return [invalidValue(at, '', 'cannot set both port name & port number')];
  if (name !== '') return portNameFaults(name).map((fault) => invalidValue(`${at}.service.port.name`, name, fault));
  if (number === 0) return [required(at, 'port name or number is required')];
  return portNumberFaults(number).map((fault) => invalidValue(`${at}.service.port.number`, number, fault));
}

function resourceErrors(resource: NonNullable<Backend['resource']>, at: string): FieldError[] {
  const { apiGroup } = resource;
  return [
    ...(apiGroup === undefined || apiGroup === null
      ? []
      : dnsSubdomainFaults(apiGroup).map((fault) => invalidValue(`${at}.apiGroup`, apiGroup, fault))),
    ...(['kind', 'name'] as const).flatMap((field) => {
      const value = resource[field] ?? '';
      if (value === '') return [required(`${at}.${field}`)];
      return pathSegmentFaults(value).map((fault) => invalidValue(`${at}.${field}`, value, fault));
    }),
  ];
}

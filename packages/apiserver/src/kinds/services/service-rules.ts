/** Validates Services (`validateService`). */

import { isIPv6 } from 'node:net';
import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalidNamedText,
  invalidValue,
  notSupported,
  required,
} from '../../errors/field-error.ts';
import { dnsLabelFaults, dnsSubdomainFaults, labelKeyFaults } from '../../names/name-rules.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import { finalizerErrors } from '../core.ts';
import { enumErrors, faultsAt, labelErrorsAt, portErrors, portNumberErrors, protocols } from '../field-rules.ts';
import { endpointIpErrors, ipErrors } from './addresses.ts';
import { clusterIpErrors } from './cluster-ip-rules.ts';
import {
  isExternal,
  isHeadless,
  isSameList,
  needsHealthCheck,
  type ServiceSpec,
  serviceSpecOf,
} from './service-spec.ts';
import { serviceStatusErrors } from './service-status-rules.ts';

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
const oneDay = 86_400;
const onlyForLoadBalancers = "may only be used when `type` is 'LoadBalancer'";

export const serviceErrors = (service: KubeObject): FieldError[] => [
  ...finalizerErrors(service),
  ...errorsOf(serviceSpecOf(service), undefined),
];

export function serviceUpdateErrors(
  service: KubeObject,
  old: KubeObject,
  subresource: string | undefined,
): FieldError[] {
  if (subresource) return [...finalizerErrors(service), ...serviceStatusErrors(service, old)];
  const [spec, before] = [serviceSpecOf(service), serviceSpecOf(old)];
  const isMoved = needsHealthCheck(before) && needsHealthCheck(spec);
  return [
    ...finalizerErrors(service),
    ...addressChangeErrors(spec, before),
    ...(before.type === 'LoadBalancer' &&
    spec.type === 'LoadBalancer' &&
    spec.loadBalancerClass !== before.loadBalancerClass
      ? [invalidValue('spec.loadBalancerClass', spec.loadBalancerClass ?? null, 'may not change once set')]
      : []),
    ...classErrors(spec),
    ...(isMoved && (spec.healthCheckNodePort ?? 0) !== (before.healthCheckNodePort ?? 0)
      ? [forbiddenField('spec.healthCheckNodePort', 'field is immutable')]
      : []),
    ...errorsOf(spec, before),
  ];
}

/** An address can only change together with a type that has none. */
function addressChangeErrors(spec: ServiceSpec, before: ServiceSpec): FieldError[] {
  const { clusterIPs = [], ipFamilies = [] } = spec;
  if (spec.type === 'ExternalName' || before.type === 'ExternalName') return [];
  if (isHeadless(spec) && isHeadless(before)) return [];
  const standing = before.clusterIPs ?? [];
  const once = 'may not change once set';
  if (standing.length > 0 && clusterIPs.length === 0)
    return [invalidValue('spec.clusterIPs[0]', clusterIPs, 'primary clusterIP can not be unset')];
  const moved = standing
    .slice(0, clusterIPs.length)
    .flatMap((address, index) =>
      address === clusterIPs[index] ? [] : [invalidValue(`spec.clusterIPs[${index}]`, clusterIPs, once)],
    );
  const isSwitched = isHeadless(spec) !== isHeadless(before);
  const sameCount = ipFamilies.length === (before.ipFamilies ?? []).length;
  const isOtherFamily = !isSwitched && sameCount && !isSameList(ipFamilies, before.ipFamilies);
  return [...moved, ...(isOtherFamily ? [invalidValue('spec.ipFamilies[0]', ipFamilies, once)] : [])];
}

function errorsOf(spec: ServiceSpec, before: ServiceSpec | undefined): FieldError[] {
  const { ports = [], externalIPs = [] } = spec;
  return [
    ...(ports.length === 0 && !isHeadless(spec) && spec.type !== 'ExternalName' ? [required('spec.ports')] : []),
    ...typeErrors(spec),
    ...portsErrors(spec),
    ...labelErrorsAt('spec.selector', spec.selector),
    ...affinityErrors(spec),
    ...clusterIpErrors(spec, before),
    ...externalIPs.flatMap((address, index) => {
      const field = `spec.externalIPs[${index}]`;
      const wrong = ipErrors(field, address, before?.externalIPs);
      return wrong.length > 0 ? wrong : endpointIpErrors(field, address);
    }),
    ...enumErrors('spec.type', spec.type, types),
    ...nodePortErrors(spec),
    ...loadBalancerErrors(spec),
    ...classErrors(spec),
    ...policyErrors(spec),
  ];
}

function typeErrors(spec: ServiceSpec): FieldError[] {
  const { type = '', externalName = '' } = spec;
  if (['LoadBalancer', 'NodePort'].includes(type))
    return isHeadless(spec)
      ? [invalidValue('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`)]
      : [];
  if (type !== 'ExternalName') return [];
  const why = 'may not be set for ExternalName services';
  const name = externalName.endsWith('.') ? externalName.slice(0, -1) : externalName;
  return [
    ...(spec.clusterIPs?.length ? [forbiddenField('spec.clusterIPs', why)] : []),
    ...(spec.ipFamilies?.length ? [forbiddenField('spec.ipFamilies', why)] : []),
    ...(spec.ipFamilyPolicy === undefined ? [] : [forbiddenField('spec.ipFamilyPolicy', why)]),
    ...(name ? faultsAt('spec.externalName', name, dnsSubdomainFaults(name)) : [required('spec.externalName')]),
  ];
}

function portsErrors({ ports = [] }: ServiceSpec): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap(({ name = '', port = 0, protocol, targetPort, appProtocol }, index) => {
    const at = `spec.ports[${index}]`;
    const isAgain = name !== '' && names.has(name);
    names.add(name);
    return [
      ...(name === '' && ports.length > 1 ? [required(`${at}.name`)] : []),
      ...(name === '' ? [] : faultsAt(`${at}.name`, name, dnsLabelFaults(name))),
      ...(isAgain ? [duplicate(`${at}.name`, name)] : []),
      ...portNumberErrors(`${at}.port`, port),
      ...enumErrors(`${at}.protocol`, protocol, protocols),
      ...portErrors(`${at}.targetPort`, targetPort),
      ...(appProtocol === undefined ? [] : faultsAt(`${at}.appProtocol`, appProtocol, labelKeyFaults(appProtocol))),
    ];
  });
}

function affinityErrors({ sessionAffinity, sessionAffinityConfig: config }: ServiceSpec): FieldError[] {
  const errors = enumErrors('spec.sessionAffinity', sessionAffinity, ['ClientIP', 'None']);
  const seconds = config?.clientIP?.timeoutSeconds;
  const field = 'spec.sessionAffinityConfig.clientIP.timeoutSeconds';
  const isWrong = sessionAffinity === 'ClientIP' && seconds !== undefined && (seconds <= 0 || seconds > oneDay);
  return isWrong ? [...errors, invalidValue(field, seconds, `must be greater than 0 and less than ${oneDay}`)] : errors;
}

function nodePortErrors({ type, ports = [] }: ServiceSpec): FieldError[] {
  const [nodePorts, own] = [new Set<string>(), new Set<string>()];
  const seenIn = (seen: Set<string>, text: string): boolean => !(seen.size < seen.add(text).size);
  return [
    ...ports.flatMap(({ nodePort }, index) =>
      type === 'ClusterIP' && nodePort
        ? [forbiddenField(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'")]
        : [],
    ),
    ...ports.flatMap(({ nodePort, protocol }, index) =>
      nodePort && seenIn(nodePorts, `${protocol}/${nodePort}`)
        ? [duplicate(`spec.ports[${index}].nodePort`, nodePort)]
        : [],
    ),
    ...ports.flatMap(({ port, protocol }, index) =>
      seenIn(own, `${protocol}/${port}`) ? [duplicate(`spec.ports[${index}]`, shownPort(port, protocol))] : [],
    ),
  ];
}

/** Go's format of the internal port type. */
const shownPort = (port: number, protocol = ''): object => ({
  Name: '',
  Protocol: protocol,
  AppProtocol: null,
  Port: port,
  TargetPort: 0,
  NodePort: 0,
});

function loadBalancerErrors(spec: ServiceSpec): FieldError[] {
  const { type, loadBalancerSourceRanges: ranges = [], allocateLoadBalancerNodePorts: allocates } = spec;
  const field = 'spec.LoadBalancerSourceRanges';
  return [
    ...(ranges.length > 0 && type !== 'LoadBalancer' ? [forbiddenField(field, onlyForLoadBalancers)] : []),
    ...ranges.flatMap((range, index) => rangeErrors(`${field}[${index}]`, range.trim())),
    ...(allocates !== undefined && type !== 'LoadBalancer'
      ? [forbiddenField('spec.allocateLoadBalancerNodePorts', onlyForLoadBalancers)]
      : []),
  ];
}

/** For a CIDR. */
export function rangeErrors(field: string, range: string): FieldError[] {
  const [address = '', bits = '', ...rest] = range.split('/');
  const most = isIPv6(address) ? 128 : 32;
  const isRange =
    rest.length === 0 && ipErrors(field, address).length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most;
  return isRange ? [] : [invalidValue(field, range, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')];
}

function classErrors({ type, loadBalancerClass: name }: ServiceSpec): FieldError[] {
  if (name === undefined) return [];
  return type === 'LoadBalancer'
    ? faultsAt('spec.loadBalancerClass', name, labelKeyFaults(name))
    : [forbiddenField('spec.loadBalancerClass', onlyForLoadBalancers)];
}

function policyErrors(spec: ServiceSpec): FieldError[] {
  const {
    externalTrafficPolicy = '',
    internalTrafficPolicy,
    healthCheckNodePort: port = 0,
    trafficDistribution,
  } = spec;
  const onlyLocal = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  const onlyExternal = 'may only be set for externally-accessible services';
  return [
    ...(isExternal(spec)
      ? enumErrors('spec.externalTrafficPolicy', externalTrafficPolicy, ['Cluster', 'Local'])
      : externalTrafficPolicy
        ? [invalidNamedText('spec.externalTrafficPolicy', externalTrafficPolicy, onlyExternal)]
        : []),
    ...(needsHealthCheck(spec)
      ? port === 0
        ? [required('spec.healthCheckNodePort')]
        : portNumberErrors('spec.healthCheckNodePort', port)
      : port === 0
        ? []
        : [invalidValue('spec.healthCheckNodePort', port, onlyLocal)]),
    ...(internalTrafficPolicy === undefined || ['Cluster', 'Local'].includes(internalTrafficPolicy)
      ? []
      : [notSupported('spec.internalTrafficPolicy', internalTrafficPolicy, ['Cluster', 'Local'])]),
    ...(trafficDistribution === undefined || distributions.includes(trafficDistribution)
      ? []
      : [notSupported('spec.trafficDistribution', trafficDistribution, distributions)]),
  ];
}

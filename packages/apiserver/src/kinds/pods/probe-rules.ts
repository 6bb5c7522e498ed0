/** Validates probes and lifecycle handlers of containers. */

import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '../../errors/field-error.ts';
import { nonNegativeErrors, portErrors } from '../field-rules.ts';
import type { Container, Handler, HttpGet, Probe } from './pod-spec.ts';

const oneOnly = 'may not specify more than 1 handler type';
const headerName = /^[-A-Za-z0-9]+$/;
const headerRule =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";

function httpErrors({ path, port, scheme = '', httpHeaders = [] }: HttpGet, field: string): FieldError[] {
  return [
    ...(path ? [] : [required(`${field}.path`)]),
    ...portErrors(`${field}.port`, port),
    ...(['HTTP', 'HTTPS'].includes(scheme) ? [] : [notSupported(`${field}.scheme`, scheme, ['HTTP', 'HTTPS'])]),
    ...httpHeaders.flatMap(({ name }) =>
      headerName.test(name) ? [] : [invalidValue(`${field}.httpHeaders`, name, headerRule)],
    ),
  ];
}

const sleepErrors = (field: string, seconds: number, grace: number): FieldError[] =>
  seconds < 0 || seconds > grace
    ? [invalidValue(field, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${grace})`)]
    : [];

function handlerErrors(handler: Handler, field: string, grace: number): FieldError[] {
  const { exec, httpGet, tcpSocket, grpc, sleep } = handler;
  const given: [string, () => FieldError[]][] = [
    ...entry('exec', exec, (one) => (one.command?.length ? [] : [required(`${field}.exec.command`)])),
    ...entry('httpGet', httpGet, (one) => httpErrors(one, `${field}.httpGet`)),
    ...entry('tcpSocket', tcpSocket, (one) => portErrors(`${field}.tcpSocket.port`, one.port)),
    ...entry('grpc', grpc, (one) => portErrors(`${field}.grpc.port`, one.port)),
    ...entry('sleep', sleep, (one) => sleepErrors(`${field}.sleep`, one.seconds ?? 0, grace)),
  ];
  const [first, ...others] = given;
  if (!first) return [required(field, 'must specify a handler type')];
  return [...first[1](), ...others.map(([name]) => forbiddenField(`${field}.${name}`, oneOnly))];
}

function entry<Value>(
  name: string,
  value: Value | undefined,
  check: (value: Value) => FieldError[],
): [string, () => FieldError[]][] {
  return value === undefined ? [] : [[name, () => check(value)]];
}

const counts = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const;

function probeErrors(probe: Probe, field: string, grace: number): FieldError[] {
  const { terminationGracePeriodSeconds: seconds = 1 } = probe;
  return [
    ...handlerErrors(probe, field, grace),
    ...counts.flatMap((name) => nonNegativeErrors(`${field}.${name}`, probe[name])),
    ...(seconds <= 0
      ? [invalidValue(`${field}.terminationGracePeriodSeconds`, seconds, 'must be greater than 0')]
      : []),
  ];
}

const onceErrors = ({ successThreshold = 0 }: Probe, field: string): FieldError[] =>
  successThreshold === 1 ? [] : [invalidValue(`${field}.successThreshold`, successThreshold, 'must be 1')];

/** `grace` is the grace period of the pod, in seconds. */
export function lifecycleErrors(container: Container, path: string, grace: number): FieldError[] {
  const { lifecycle, livenessProbe, readinessProbe, startupProbe } = container;
  const [live, ready, start] = ['liveness', 'readiness', 'startup'].map((name) => `${path}.${name}Probe`) as [
    string,
    string,
    string,
  ];
  return [
    ...(lifecycle?.postStart ? handlerErrors(lifecycle.postStart, `${path}.lifecycle.postStart`, grace) : []),
    ...(lifecycle?.preStop ? handlerErrors(lifecycle.preStop, `${path}.lifecycle.preStop`, grace) : []),
    ...(livenessProbe ? [...probeErrors(livenessProbe, live, grace), ...onceErrors(livenessProbe, live)] : []),
    ...(readinessProbe ? [...probeErrors(readinessProbe, ready, grace), ...readyErrors(readinessProbe, ready)] : []),
    ...(startupProbe ? [...probeErrors(startupProbe, start, grace), ...onceErrors(startupProbe, start)] : []),
  ];
}

const readyErrors = ({ terminationGracePeriodSeconds: seconds }: Probe, field: string): FieldError[] =>
  seconds === undefined
    ? []
    : [invalidValue(`${field}.terminationGracePeriodSeconds`, seconds, 'must not be set for readinessProbes')];

/** For an init container that ends before the others start. */
export const noLifecycleErrors = (container: Container, path: string): FieldError[] =>
  (['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const).flatMap((name) =>
    container[name] === undefined
      ? []
      : [forbiddenField(`${path}.${name}`, 'may not be set for init containers without restartPolicy=Always')],
  );

/** Validates Events (Kubernetes' `core/validation/events.go`). All are passed in the form of the core group. */

import { isDeepStrictEqual } from 'node:util';
import { type FieldError, invalidValue, required } from '../errors/field-error.ts';
import { dnsSubdomainFaults, labelKeyFaults } from '../names/name-rules.ts';
import type { KubeObject } from '../registry/kube-object.ts';

interface Series {
  count?: number;
  lastObservedTime?: string | null;
}

const limits = { reportingInstance: 128, action: 128, reason: 128, message: 1024 } as const;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** For both groups; `controllerField` is the group's name for the reporting controller. */
export function eventErrors(event: KubeObject, controllerField: string): FieldError[] {
  const { namespace = '' } = event.metadata;
  return [
    ...(event['eventTime'] ? newFormErrors(event, controllerField) : oldFormErrors(event)),
    ...dnsSubdomainFaults(namespace).map((fault) => invalidValue('namespace', namespace, fault)),
  ];
}

function misplaced(event: KubeObject): FieldError {
  const { namespace } = event['involvedObject'] as { namespace?: string };
  return invalidValue('involvedObject.namespace', namespace ?? '', 'does not match event.namespace');
}

/** Events about cluster-scoped objects are in the default namespace. */
function oldFormErrors(event: KubeObject): FieldError[] {
  const { namespace } = event['involvedObject'] as { namespace?: string };
  const fits = namespace ? namespace === event.metadata.namespace : event.metadata.namespace === 'default';
  return fits ? [] : [misplaced(event)];
}

function newFormErrors(event: KubeObject, controllerField: string): FieldError[] {
  const { namespace } = event['involvedObject'] as { namespace?: string };
  const controller = textOf(event['reportingComponent']);
  const isPlaced = namespace || ['default', 'kube-system'].includes(event.metadata.namespace ?? '');
  const missing = (name: string): FieldError[] => (event[name] ? [] : [required(name)]);
  const long = (name: keyof typeof limits): FieldError[] =>
    Buffer.byteLength(textOf(event[name])) > limits[name]
      ? [invalidValue(name, '', `can have at most ${limits[name]} characters`)]
      : [];
  return [
    ...(isPlaced ? [] : [misplaced(event)]),
    ...(controller ? [] : [required(controllerField)]),
    ...labelKeyFaults(controller).map((fault) => invalidValue(controllerField, controller, fault)),
    ...missing('reportingInstance'),
    ...long('reportingInstance'),
    ...missing('action'),
    ...long('action'),
    ...missing('reason'),
    ...long('reason'),
    ...long('message'),
  ];
}

/** For new Events of events.k8s.io. */
export function strictEventErrors(event: KubeObject): FieldError[] {
  const { component, host } = (event['source'] ?? {}) as { component?: string; host?: string };
  const mustBeUnset = (name: string, isThere: unknown): FieldError[] =>
    isThere ? [invalidValue(name, '', 'needs to be unset')] : [];
  return [
    ...seriesErrors(event),
    ...(event['eventTime'] ? [] : [required('eventTime')]),
    ...(['Normal', 'Warning'].includes(textOf(event['type']))
      ? []
      : [invalidValue('type', '', `has invalid value: ${textOf(event['type'])}`)]),
    ...mustBeUnset('firstTimestamp', event['firstTimestamp']),
    ...mustBeUnset('lastTimestamp', event['lastTimestamp']),
    ...mustBeUnset('count', event['count']),
    ...mustBeUnset('source', component || host),
  ];
}

/** Only the series of an Event may change. */
export function strictEventUpdateErrors(event: KubeObject, old: KubeObject): FieldError[] {
  const fixed = [
    'reason',
    'message',
    'firstTimestamp',
    'lastTimestamp',
    'count',
    'reason',
    'type',
    'eventTime',
    'action',
  ];
  const changed = (name: string, shown: unknown = event[name] ?? '', field = name): FieldError[] =>
    isDeepStrictEqual(event[name], old[name]) ? [] : [invalidValue(field, shown, 'field is immutable')];
  return [
    ...(isDeepStrictEqual(event['series'], old['series']) ? [] : seriesErrors(event)),
    ...changed('involvedObject', asGo(event['involvedObject'])),
    ...changed('source', asGo(event['source'])),
    ...fixed.flatMap((name) => changed(name, name === 'count' ? (event[name] ?? 0) : undefined)),
    ...changed('related', asGo(event['related'])),
    ...changed('reportingComponent', event['reportingComponent'] ?? '', 'reportingController'),
    ...changed('reportingInstance'),
  ];
}

/** Kubernetes' internal types have no JSON names, so error texts show Go's field names. */
const asGo = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return null;
  const goName = (name: string): string => ({ uid: 'UID', apiVersion: 'APIVersion' })[name] ?? capitalised(name);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [goName(name), one]));
};

const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

function seriesErrors(event: KubeObject): FieldError[] {
  const series = event['series'] as Series | undefined;
  if (!series) return [];
  return [
    ...((series.count ?? 0) < 2 ? [invalidValue('series.count', '', 'should be at least 2')] : []),
    ...(series.lastObservedTime ? [] : [required('series.lastObservedTime')]),
  ];
}

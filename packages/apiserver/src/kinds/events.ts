/** The kind Event of the core group and of events.k8s.io: the same objects in two forms, with stricter rules for the newer one. */

import { dnsSubdomainFaults, pathSegmentFaults } from '../names/name-rules.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { PrintedKind } from '../registry/printed-kind.ts';
import { eventColumns } from './event-columns.ts';
import { eventErrors, strictEventErrors, strictEventUpdateErrors } from './event-rules.ts';
import { served } from './served.ts';

/** Names in events.k8s.io that differ from those in the core group. */
const newNames: Readonly<Record<string, string>> = {
  involvedObject: 'regarding',
  message: 'note',
  source: 'deprecatedSource',
  firstTimestamp: 'deprecatedFirstTimestamp',
  lastTimestamp: 'deprecatedLastTimestamp',
  count: 'deprecatedCount',
  reportingComponent: 'reportingController',
};
const coreNames = Object.fromEntries(Object.entries(newNames).map(([core, other]) => [other, core]));

const renamed = (object: KubeObject, apiVersion: string, names: Readonly<Record<string, string>>): KubeObject => ({
  ...(Object.fromEntries(
    Object.entries(object).map(([name, value]) => [Object.hasOwn(names, name) ? names[name] : name, value]),
  ) as KubeObject),
  apiVersion,
});

const toCore = (object: KubeObject): KubeObject => zeroed(renamed(object, 'v1', coreNames), coreZeros);
const fromCore = (object: KubeObject): KubeObject => zeroed(renamed(object, 'events.k8s.io/v1', newNames), newZeros);

/** Fields that one form always writes and the other omits. */
const coreZeros = {
  involvedObject: {},
  source: {},
  firstTimestamp: null,
  lastTimestamp: null,
  reportingComponent: '',
  reportingInstance: '',
};
const newZeros = { regarding: {}, deprecatedSource: {}, deprecatedFirstTimestamp: null, deprecatedLastTimestamp: null };

function zeroed(object: KubeObject, zeros: Readonly<Record<string, unknown>>): KubeObject {
  const made = { ...object };
  for (const [name, zero] of Object.entries(zeros)) made[name] ??= zero;
  if (zeros === newZeros) for (const name of coreOnly) if (made[name] === '') delete made[name];
  return made;
}
const coreOnly = ['reportingController', 'reportingInstance'];

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const about = (object: KubeObject): Record<string, unknown> => object['involvedObject'] as Record<string, unknown>;

const aboutFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

export const events: PrintedKind = {
  ...served('', 'events'),
  ownsNothing: true,
  isUncached: true,
  nameFaults: pathSegmentFaults,
  checksAgain: 'nothing',
  strategy: {
    validate: (object) => eventErrors(object, 'reportingComponent'),
    selectableFields: {
      ...Object.fromEntries(
        aboutFields.map((name) => [`involvedObject.${name}`, (object: KubeObject) => text(about(object)[name])]),
      ),
      reason: ({ reason }) => text(reason),
      reportingComponent: ({ reportingComponent }) => text(reportingComponent),
      source: ({ source, reportingComponent }) =>
        text((source as { component?: string }).component) || text(reportingComponent),
      type: ({ type }) => text(type),
    },
  },
  columns: eventColumns,
};

export const newEvents: PrintedKind = {
  ...served('events.k8s.io', 'events'),
  ownsNothing: true,
  isUncached: true,
  stored: { group: '', resource: 'events', fromStored: fromCore, toStored: toCore },
  nameFaults: dnsSubdomainFaults,
  strategy: {
    validate: (object) => eventErrors(toCore(object), 'reportingController'),
    validateCreate: (object) => strictEventErrors(toCore(object)),
    validateUpdate: (object, old) => strictEventUpdateErrors(toCore(object), toCore(old)),
    selectableFields: {
      ...Object.fromEntries(
        aboutFields.map((name) => [`regarding.${name}`, (object: KubeObject) => text(about(toCore(object))[name])]),
      ),
      reason: ({ reason }) => text(reason),
      reportingController: ({ reportingController }) => text(reportingController),
      type: ({ type }) => text(type),
    },
  },
  columns: eventColumns.map((column) => ({ ...column, cell: (object, now) => column.cell(toCore(object), now) })),
};

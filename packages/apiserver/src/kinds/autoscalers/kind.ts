/** The kind HorizontalPodAutoscaler, in both versions: objects are stored as autoscaling/v2. */

import type { FieldError } from '../../errors/field-error.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import type { PrintedKind } from '../../registry/printed-kind.ts';
import type { Strategy } from '../../registry/resource-kind.ts';
import { kindColumns } from '../printing/printed-columns.ts';
import { objectMetaErrors, objectMetaUpdateErrors } from '../rules/metadata.ts';
import { countsErrors } from '../rules/numbers.ts';
import { served } from '../served.ts';
import type { Autoscaler } from './autoscaler.ts';
import { autoscalerCells } from './columns.ts';
import { defaultAutoscaler } from './defaults.ts';
import { newer, older, olderAnnotations } from './older-version.ts';
import { autoscalerErrors } from './rules.ts';

const facts = served('autoscaling', 'horizontalpodautoscalers', 'v2');
const olderFacts = served('autoscaling', 'horizontalpodautoscalers', 'v1');

const of = (object: KubeObject): Autoscaler => object as unknown as Autoscaler;

/** Converts for managedFields, which are per version. */
const converts = (object: KubeObject, apiVersion: string): KubeObject => {
  if (object.apiVersion === apiVersion) return object;
  return apiVersion === 'autoscaling/v1' ? older(object) : newer(object);
};

/** `inside` gives the internal form of the object, whatever the version of the request. */
const rules = (inside: (object: KubeObject) => Autoscaler): Pick<Strategy, 'validateCreate' | 'validateUpdate'> => ({
  validateCreate: (object): FieldError[] => [
    ...objectMetaErrors(object, facts),
    ...autoscalerErrors(inside(object).spec),
  ],
  validateUpdate: (object, old, subresource): FieldError[] => [
    ...objectMetaUpdateErrors(object, old),
    ...(subresource === 'status'
      ? countsErrors(inside(object).status, ['currentReplicas', 'desiredReplicas'], 'status')
      : autoscalerErrors(inside(object).spec, inside(old).spec)),
  ],
});

export const newAutoscalers: PrintedKind = {
  ...facts,
  checksAgain: 'nothing',
  converts,
  strategy: { complete: (object) => defaultAutoscaler(of(object)), ...rules(of) },
  columns: kindColumns<Autoscaler>(facts, autoscalerCells),
};

export const oldAutoscalers: PrintedKind = {
  ...olderFacts,
  checksAgain: 'nothing',
  converts,
  fieldAnnotations: olderAnnotations,
  stored: { group: '', resource: 'horizontalpodautoscalers', fromStored: older, toStored: newer },
  strategy: {
    // Converted to the newer version and back, which is what managedFields and the response are about.
    complete: (object) => {
      of(object).spec.minReplicas ??= 1;
      Object.assign(object, older(newer(object)));
    },
    prepareForUpdate: (object) => Object.assign(object, older(newer(object))),
    ...rules((object) => of(newer(object))),
  },
  columns: kindColumns<Autoscaler>(olderFacts, autoscalerCells).map((column) => ({
    ...column,
    // A bookmark has no version.
    cell: (object, now) => column.cell(object.metadata.name === undefined ? object : newer(object), now),
  })),
};

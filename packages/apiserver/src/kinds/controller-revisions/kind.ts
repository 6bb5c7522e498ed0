/** The kind ControllerRevision: the history of StatefulSets and DaemonSets. */

import { isObject, type JsonValue } from '@fleet/kube/json-value.ts';
import { type FieldError, required } from '../../errors/field-error.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import type { PrintedKind } from '../../registry/printed-kind.ts';
import { none } from '../printing/cells.ts';
import { kindColumns } from '../printing/printed-columns.ts';
import { immutableErrors } from '../rules/equality.ts';
import { objectMetaErrors, objectMetaUpdateErrors } from '../rules/metadata.ts';
import { countErrors } from '../rules/numbers.ts';
import { served } from '../served.ts';

interface ControllerRevision {
  data?: JsonValue;
  revision?: number;
}

const facts = served('apps', 'controllerrevisions');

const of = (object: KubeObject): ControllerRevision => object as unknown as ControllerRevision;

const allErrors = (object: KubeObject): FieldError[] => [
  ...objectMetaErrors(object, facts),
  ...countErrors(of(object).revision, 'revision'),
];

function dataErrors({ data }: ControllerRevision): FieldError[] {
  if (data === undefined || data === null) return [required('data', 'data is mandatory')];
  return isObject(data) ? [] : [required('data', 'data must be a valid JSON object')];
}

export const controllerRevisions: PrintedKind = {
  ...facts,
  checksAgain: 'nothing',
  strategy: {
    validateCreate: (object) => [...allErrors(object), ...dataErrors(of(object))],
    validateUpdate: (object, old) => [
      ...objectMetaUpdateErrors(object, old),
      ...allErrors(object),
      ...immutableErrors(of(object).data, of(old).data, 'data'),
    ],
  },
  columns: kindColumns<ControllerRevision>(facts, {
    Controller: ({ metadata }) => {
      const owner = metadata.ownerReferences?.find(({ controller }) => controller);
      if (!owner) return none;
      const [group] = owner.apiVersion.includes('/') ? owner.apiVersion.split('/') : [];
      return `${(group ? `${owner.kind}.${group}` : owner.kind).toLowerCase()}/${owner.name}`;
    },
    Revision: ({ revision = 0 }) => revision,
  }),
};

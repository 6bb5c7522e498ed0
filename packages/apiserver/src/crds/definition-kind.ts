/** CustomResourceDefinition as a kind: its defaults, validation, and deletion. */

import { equalJson, type JsonValue } from '@fleet/kube/json-value.ts';
import { timeText } from '@fleet/kube/time-text.ts';
import { type FieldError, invalidValue } from '../errors/field-error.ts';
import { builtInTypes, type ObjectTypes } from '../http/object-types.ts';
import { served } from '../kinds/served.ts';
import { FieldSet } from '../patch/fields/field-set.ts';
import { byName } from '../patch/fields/path-element.ts';
import { builtInKind } from '../patch/managers/managed-kind.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { PrintedKind } from '../registry/printed-kind.ts';
import { apiVersionOf } from '../registry/resource-kind.ts';
import { setCondition } from './conditions.ts';
import { setDefaults } from './defaults.ts';
import { type Definition, storageVersion } from './definition.ts';
import { approvalErrors } from './validation/approval.ts';
import { nameFaults, statusErrors } from './validation/definition-rules.ts';

/** While it is set, objects of the definition may exist. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

const asDefinition = (object: KubeObject): Definition => object as Definition;

const wrongName = (definition: Definition): FieldError[] => {
  const { name = '' } = definition.metadata;
  const faults = name ? nameFaults(definition, name) : [];
  return faults
    .filter((fault) => fault.startsWith('must be spec.'))
    .map((fault) => invalidValue('metadata.name', name, fault));
};

/** A version in which objects are stored stays in the status as long as such objects may exist. */
function keepStoredVersion(definition: Definition): void {
  const name = storageVersion(definition)?.name;
  const stored = definition.status?.storedVersions ?? [];
  if (name === undefined || stored.includes(name)) return;
  definition.status = { ...definition.status, storedVersions: [...stored, name] };
}

type Check = (definition: Definition, old?: Definition) => Promise<FieldError[]>;

async function updateErrors(definition: Definition, old: Definition, check: Check): Promise<FieldError[]> {
  const isSame = equalJson(definition.spec as unknown as JsonValue, old.spec as unknown as JsonValue);
  if (!isSame) return check(definition, old);
  return [...statusErrors(definition.status ?? {}), ...approvalErrors(definition, old)];
}

export const definitionKind = (check: Check): PrintedKind => ({
  ...served('apiextensions.k8s.io', 'customresourcedefinitions'),
  hasGeneration: true,
  ownsNothing: true,
  strategy: {
    complete: (object) => setDefaults(asDefinition(object)),
    prepareForCreate: (object) => keepStoredVersion(asDefinition(object)),
    prepareForUpdate: (object, _old, subresource) => {
      if (subresource === undefined) keepStoredVersion(asDefinition(object));
    },
    validateCreate: async (object) => [...wrongName(asDefinition(object)), ...(await check(asDefinition(object)))],
    validateUpdate: (object, old) => updateErrors(asDefinition(object), asDefinition(old), check),
    // Its objects are deleted first.
    isHeld: ({ metadata }) => !metadata.deletionTimestamp || (metadata.finalizers ?? []).includes(cleanupFinalizer),
    prepareForDelete: (object) => {
      const { metadata } = object;
      // The spec has not changed.
      if (metadata.generation && !metadata.finalizers?.includes(cleanupFinalizer)) metadata.generation -= 1;
      metadata.finalizers = [...new Set([...(metadata.finalizers ?? []), cleanupFinalizer])];
      const message = 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon';
      const condition = { type: 'Terminating', status: 'True', reason: 'InstanceDeletionPending', message } as const;
      setCondition(asDefinition(object), condition, timeText(Date.now()));
    },
  },
});

/** A write of one half of a definition owns nothing of the other half. */
export function definitionTypes(kind: PrintedKind): ObjectTypes {
  const reset = (...names: string[]): FieldSet => FieldSet.of(...names.map((name) => [byName(name)]));
  return {
    ...builtInTypes(kind),
    // As JSON, in which an empty list is not null.
    kept: (object) => object,
    managed: (subresource) =>
      builtInKind(apiVersionOf(kind), kind.kind, {
        subresource,
        resetFields: () => (subresource === 'status' ? reset('metadata', 'spec') : reset('status')),
      }),
  };
}

/** Turns a version of a definition into a kind that the server can serve. */

import type { JsonObject } from '@fleet/kube/json-value.ts';
import { type GroupResource, StatusError } from '@fleet/kube/status.ts';
import type { FieldError } from '../../errors/field-error.ts';
import { dnsSubdomainFaults } from '../../names/name-rules.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import { metadataErrors, metadataUpdateErrors } from '../../registry/metadata-rules.ts';
import type { PrintedKind } from '../../registry/printed-kind.ts';
import type { ScaleFields, StoredKind, Strategy } from '../../registry/resource-kind.ts';
import { withDefaults } from '../../schema/custom/default.ts';
import { pruneObject } from '../../schema/custom/prune.ts';
import { type Definition, type Scale, storageVersion, type Version } from '../definition.ts';
import { columnsOf } from './columns.ts';
import { apiVersionOf, schemaOf } from './custom-types.ts';
import { finalizerWarnings } from './finalizer-warnings.ts';
import { jsonPath, plainPath } from './json-path.ts';
import { isBlocking } from './validation.ts';

/** The errors of an object; `old` is the object before an update. Rules are skipped if they are blocked. */
export type Check = (object: JsonObject, old?: JsonObject, isBlocked?: boolean) => Promise<FieldError[]>;

/** Requires accepted names. No object can be created once the definition is being deleted. */
export function customKind(
  definition: Definition,
  version: Version,
  check: Check,
  isGoing: () => boolean,
): PrintedKind {
  const { group, scope, names } = definition.spec;
  const accepted = { ...names, ...definition.status?.acceptedNames };
  const { scale, status } = version.subresources ?? {};
  return {
    group,
    version: version.name,
    resource: names.plural,
    singular: accepted.singular ?? '',
    kind: names.kind,
    listKind: names.listKind ?? `${names.kind}List`,
    namespaced: scope === 'Namespaced',
    ...(accepted.shortNames?.length ? { shortNames: accepted.shortNames } : {}),
    ...(accepted.categories?.length ? { categories: accepted.categories } : {}),
    ...(status ? { hasStatus: true } : {}),
    ...(scale ? { scale: scaleFields(definition, scale) } : {}),
    hasGeneration: true,
    allowsUnconditionalUpdate: false,
    nameFaults: dnsSubdomainFaults,
    ...storedAs(definition, version),
    strategy: strategyOf(definition, version, check, isGoing),
    columns: columnsOf(version.additionalPrinterColumns),
  };
}

const asJson = (object: KubeObject): JsonObject => object as unknown as JsonObject;

function strategyOf(definition: Definition, version: Version, check: Check, isGoing: () => boolean): Strategy {
  const { selectableFields = [] } = version;
  return {
    prepareForCreate: () => {
      if (isGoing()) throw noNewObjects({ group: definition.spec.group, resource: definition.spec.names.plural });
    },
    prepareForUpdate: (object, old, subresource) => {
      // A write of the status changes nothing in the metadata but managedFields.
      if (subresource !== 'status') return;
      const { managedFields, resourceVersion } = object.metadata;
      const { managedFields: _, ...metadata } = old.metadata;
      object.metadata = {
        ...metadata,
        ...(managedFields ? { managedFields } : {}),
        ...(resourceVersion ? { resourceVersion } : {}),
      };
    },
    warnings: finalizerWarnings,
    validateCreate: (object) => check(asJson(object), undefined, isBlocked(definition, object)),
    validateUpdate: (object, old) =>
      check(asJson(object), asJson(old), metadataUpdateErrors(object.metadata, old.metadata).some(isBlocking)),
    ...(selectableFields.length > 0
      ? { selectableFields: Object.fromEntries(selectableFields.map(({ jsonPath: path }) => selectable(path))) }
      : {}),
  };
}

/** Missing metadata blocks the rules. */
const isBlocked = ({ spec }: Definition, { metadata }: KubeObject): boolean =>
  metadataErrors(metadata, spec.scope === 'Namespaced', dnsSubdomainFaults).some(isBlocking);

export function noNewObjects({ group, resource }: GroupResource): StatusError {
  const message = 'create not allowed while custom resource definition is terminating';
  return new StatusError(405, 'MethodNotAllowed', message, { group, kind: resource });
}

function selectable(path: string): [string, (object: KubeObject) => string] {
  const find = jsonPath(path);
  return [
    path.replace(/^\./, ''),
    (object) => {
      const [value] = find?.(asJson(object)) ?? [];
      return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
    },
  ];
}

function scaleFields(definition: Definition, scale: Scale): ScaleFields {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  const paths = new Map(
    definition.spec.versions.map((one) => {
      const path = one.subresources?.scale?.specReplicasPath;
      return [apiVersionOf(definition, one), path === undefined ? null : plainPath(path)];
    }),
  );
  const find = labelSelectorPath ? jsonPath(labelSelectorPath) : undefined;
  return {
    replicas: plainPath(specReplicasPath),
    currentReplicas: plainPath(statusReplicasPath),
    pathIn: (apiVersion) => paths.get(apiVersion),
    selector: (object) => {
      const [value] = find?.(asJson(object)) ?? [];
      return typeof value === 'string' ? value : '';
    },
  };
}

/** Objects are stored in one version. Those written before a change of the definition may lack new defaults. */
function storedAs(definition: Definition, version: Version): { stored?: StoredKind } {
  const { group, names, versions } = definition.spec;
  if (versions.length === 1 && (definition.metadata.generation ?? 1) === 1) return {};
  const schema = schemaOf(definition, version);
  const [shown, kept] = [version, storageVersion(definition) ?? version].map((one) => apiVersionOf(definition, one));
  return {
    stored: {
      group,
      resource: names.plural,
      fromStored: (object) => {
        const { value } = pruneObject({ ...asJson(object), apiVersion: shown! }, schema);
        return withDefaults(value, schema) as unknown as KubeObject;
      },
      ...(shown === kept ? {} : { toStored: (object: KubeObject) => ({ ...object, apiVersion: kept! }) }),
    },
  };
}

/** The CustomResourceDefinition kind (`apiextensions.k8s.io/v1`). */

import type { KubeObject } from '../registry/kube-object.ts';
import type { Schema } from '../schema/open-api.ts';

export interface Names {
  plural: string;
  singular?: string;
  kind: string;
  listKind?: string;
  shortNames?: string[];
  categories?: string[];
}

export interface PrinterColumn {
  name: string;
  type: string;
  format?: string;
  description?: string;
  priority?: number;
  jsonPath: string;
}

export interface Scale {
  specReplicasPath: string;
  statusReplicasPath: string;
  labelSelectorPath?: string;
}

export interface Subresources {
  status?: object;
  scale?: Scale;
}

export interface VersionSchema {
  openAPIV3Schema?: Schema;
  /** The schema is too long for the main thread, so a worker thread processes it (LIMIT-3). */
  isOnThread?: true;
}

export interface Version {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema?: VersionSchema;
  subresources?: Subresources;
  additionalPrinterColumns?: PrinterColumn[];
  selectableFields?: { jsonPath: string }[];
}

export interface Conversion {
  strategy: string;
  webhook?: {
    clientConfig?: { url?: string; service?: { namespace: string; name: string; path?: string; port?: number } };
    conversionReviewVersions?: string[];
  };
}

export interface DefinitionSpec {
  group: string;
  names: Names;
  scope: string;
  versions: Version[];
  conversion?: Conversion;
  preserveUnknownFields?: boolean;
}

export interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  lastTransitionTime: string;
  reason: string;
  message: string;
}

export interface DefinitionStatus {
  conditions?: Condition[] | null;
  acceptedNames?: Partial<Names>;
  storedVersions?: string[] | null;
}

export interface Definition extends KubeObject {
  spec: DefinitionSpec;
  status?: DefinitionStatus;
}

/** In bytes without descriptions: an object with a schema of up to this size is written within some milliseconds. */
export const longestSchema = 32 * 1024;
/** With descriptions, which are stored and published. */
export const longestProse = 256 * 1024;

/** In any version: managedFields may refer to another version than the requested one. */
export const hasSchemaOnThread = ({ spec }: Definition): boolean =>
  spec.versions.some(({ schema }) => schema?.isOnThread);

export const isTrue = ({ status }: Definition, type: string): boolean =>
  status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;

export const storageVersion = ({ spec }: Definition): Version | undefined =>
  // An unvalidated definition may have none.
  (spec.versions as Version[] | null)?.find(({ storage }) => storage);

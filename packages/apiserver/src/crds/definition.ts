/** A CustomResourceDefinition, as clients write it (`apiextensions.k8s.io/v1`). */

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
  /** It is too long to be read here: what needs it is done on a thread (LIMIT-3). */
  isElsewhere?: true;
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

/** In bytes without prose: what is written by one that is no larger takes some milliseconds. */
export const longestSchema = 32 * 1024;
/** With its prose, which is kept and published. */
export const longestProse = 256 * 1024;

/** Of any of its versions: who wrote what may be told in another than is asked for. */
export const hasSchemaElsewhere = ({ spec }: Definition): boolean =>
  spec.versions.some(({ schema }) => schema?.isElsewhere);

export const isTrue = ({ status }: Definition, type: string): boolean =>
  status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;

export const storageVersion = ({ spec }: Definition): Version | undefined =>
  // Of what was not checked yet there may be none.
  (spec.versions as Version[] | null)?.find(({ storage }) => storage);

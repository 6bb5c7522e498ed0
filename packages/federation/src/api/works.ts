/** `work.karmada.io/v1alpha1`: a Work holds the manifest for one member, and the status that the member reports. */

import type { KubeObject } from '@fleet/client/kube-client.ts';
import type { Health } from './bindings.ts';
import type { AnyObject, Condition, JsonObject } from './objects.ts';

export interface Work extends KubeObject {
  spec: WorkSpec;
  status?: WorkStatus;
}

export interface WorkSpec {
  workload?: { manifests?: AnyObject[] };
  suspendDispatching?: boolean;
  preserveResourcesOnDeletion?: boolean;
}

export interface WorkStatus {
  conditions?: Condition[];
  manifestStatuses?: ManifestStatus[];
}

export interface ManifestStatus {
  identifier: ResourceIdentifier;
  status?: JsonObject;
  health?: Health;
}

export interface ResourceIdentifier {
  ordinal: number;
  group?: string;
  version: string;
  kind: string;
  /** Always empty, as Karmada writes it (FED-16). */
  resource: string;
  namespace?: string;
  name: string;
}

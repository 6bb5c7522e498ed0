/** Reads the webhook configurations of a fleet's control plane, so that the command can call the webhooks. */

import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import type { AnyObject } from '@fleet/federation/api/objects.ts';
import type { FactsOfKind } from '@fleet/federation/explore/hooks/hook-model.ts';
import type { ResourceType } from './get/resource-types.ts';
import { apiVersionOf } from './named-object.ts';

const config = '/apis/config.karmada.io/v1alpha1';

const kinds = ['ResourceExploringWebhookConfiguration', 'ResourceInterpreterWebhookConfiguration'];

export async function readConfigurations(controlPlane: KubeClient): Promise<AnyObject[]> {
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      try {
        const { items } = await controlPlane.list<AnyObject>(`${config}/${kind.toLowerCase()}s`);
        return items.map((item) => ({ ...item, apiVersion: 'config.karmada.io/v1alpha1', kind }));
      } catch (error) {
        // Federation is off, so there are none.
        if (isStatus(error, 404)) return [];
        throw error;
      }
    }),
  );
  return lists.flat();
}

export const factsIn =
  (types: readonly ResourceType[]): FactsOfKind =>
  ({ apiVersion, kind }) => {
    const type = types.find((one) => one.kind === kind && apiVersionOf(one) === apiVersion);
    return type && { plural: type.resource, namespaced: type.namespaced };
  };

/** Kinds for tests of what all kinds share. */

import { dnsSubdomainFaults } from '../../names/name-rules.ts';
import type { KubeObject } from '../kube-object.ts';
import type { ResourceKind } from '../resource-kind.ts';

/** A kind with all optional features. */
export const widgets: ResourceKind = {
  group: 'example.com',
  version: 'v1',
  resource: 'widgets',
  singular: 'widget',
  kind: 'Widget',
  namespaced: true,
  hasStatus: true,
  hasGeneration: true,
  allowsUnconditionalUpdate: false,
  nameFaults: dnsSubdomainFaults,
  strategy: {
    selectableFields: { 'spec.color': ({ spec }) => (spec as { color?: string } | undefined)?.color ?? '' },
  },
};

/** A kind without any of them. */
export const notes: ResourceKind = {
  group: '',
  version: 'v1',
  resource: 'notes',
  singular: 'note',
  kind: 'Note',
  namespaced: true,
  allowsUnconditionalUpdate: true,
  nameFaults: dnsSubdomainFaults,
  strategy: {},
};

export const widget = (
  name: string,
  rest: Omit<Partial<KubeObject>, 'metadata'> & { metadata?: KubeObject['metadata'] } = {},
): KubeObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  ...rest,
  metadata: { ...(name ? { name } : {}), ...rest.metadata },
});

/** The label of objects that `fleet join` made. */

import type { KubeObject } from '@fleet/client/kube-client.ts';

/** On everything that `fleet join` makes, so that it knows its own again. */
export const managed = { 'app.kubernetes.io/managed-by': 'fleet' } as const;

export const isManaged = ({ metadata }: KubeObject): boolean =>
  metadata.labels?.['app.kubernetes.io/managed-by'] === 'fleet';

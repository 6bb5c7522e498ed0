/** Templates and namespaces that cannot be deleted (FED-24). */

import type { KubeObject } from '@fleet/client/kube-client.ts';

export const protectionLabel = 'resourcetemplate.karmada.io/deletion-protected';
export const protectionValue = 'Always';
export const protectionMessage = `This resource is protected: remove the label ${protectionLabel} before you delete it`;

export const isProtected = ({ metadata }: Pick<KubeObject, 'metadata'>): boolean =>
  metadata.labels?.[protectionLabel] === protectionValue;

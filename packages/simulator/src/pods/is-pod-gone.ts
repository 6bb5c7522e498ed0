import { isStatus } from '@fleet/client/kube-client.ts';

/** Whether a write of a pod, with its uid, failed because the pod was deleted or replaced meanwhile. */
export const isPodGone = (error: unknown): boolean =>
  isStatus(error, 404) ||
  isStatus(error, 409) ||
  // A patch is merged first: as in Kubernetes, another uid makes it invalid instead of a conflict.
  (isStatus(error, 422) && (error.details?.causes?.some(({ field }) => field === 'metadata.uid') ?? false));

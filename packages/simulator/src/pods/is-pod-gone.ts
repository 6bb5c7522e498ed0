import { isStatus } from '@fleet/client/kube-client.ts';

/** Whether a write of a pod, with its uid, failed because the pod was removed meanwhile or replaced by one of the same name. */
export const isPodGone = (error: unknown): boolean =>
  isStatus(error, 404) ||
  isStatus(error, 409) ||
  // A patch is merged first: as in Kubernetes another uid makes it invalid, and no conflict.
  (isStatus(error, 422) && (error.details?.causes?.some(({ field }) => field === 'metadata.uid') ?? false));

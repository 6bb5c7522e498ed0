/** The errors of a watch that cannot resume: its client lists again (RV-6). */

import { expired, type StatusError } from '@fleet/kube/status.ts';
import type { ClusterName } from '../target/target.ts';

const tooOld = 'The resourceVersion for the provided watch is too old';

/** The events after its version are no longer known. */
export const forgotten = (): StatusError => expired(`${tooOld}.`);

/** The member has compacted them, refuses, or no longer serves the resource. */
export const lostIn = (cluster: ClusterName, cause: unknown): StatusError =>
  expired(`${tooOld}: the watch cannot resume in cluster "${cluster}".`, { cause });

/** The version names a cluster that is not in the view, or no longer. */
export const notInView = (cluster: ClusterName): StatusError =>
  expired(`${tooOld}: cluster "${cluster}" is not in this view.`);

/** Its Cluster leads to another API server now (CLU-4). */
export const movedToOtherServer = (cluster: ClusterName): StatusError =>
  expired(`${tooOld}: cluster "${cluster}" is reached at another server now.`);

/** The control plane answered the watch, and a ResourceRegistry selects its resource now (CACHE-4). */
export const readFromMembers = (): StatusError => expired(`${tooOld}: the resource is read from clusters now.`);

/** The member was listed again, and the events around the client's position are unknown. */
export const inGap = (cluster: ClusterName): StatusError =>
  expired(`${tooOld}: the events of cluster "${cluster}" around it are not known.`);

/** Part of the initial list was sent, and the rest cannot be. */
export const brokenOff = (cluster: ClusterName): StatusError =>
  expired(`the watch cannot resume in cluster "${cluster}": its initial list broke off`);

/** The error as an event of a watch. */
export const errorLine = (error: StatusError): Buffer =>
  Buffer.from(`${JSON.stringify({ type: 'ERROR', object: error.toStatus() })}\n`);

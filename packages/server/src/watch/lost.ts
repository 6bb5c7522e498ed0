/** Why a watch cannot go on from where it was: its client lists anew (RV-6). */

import { expired, type StatusError } from '@fleet/kube/status.ts';
import type { ClusterName } from '../target/target.ts';

const tooOld = 'The resourceVersion for the provided watch is too old';

/** Nobody knows any more what came after it. */
export const forgotten = (): StatusError => expired(`${tooOld}.`);

/** The member has forgotten it, refuses, or no longer serves the resource. */
export const lostIn = (cluster: ClusterName, cause: unknown): StatusError =>
  expired(`${tooOld}: cluster "${cluster}" cannot go on from it.`, { cause });

/** It names a cluster that is not in the view, or no longer. */
export const notInView = (cluster: ClusterName): StatusError =>
  expired(`${tooOld}: cluster "${cluster}" is not in this view.`);

/** Objects were sent, and the rest of them cannot be. */
export const brokenOff = (cluster: ClusterName): StatusError =>
  expired(`cluster "${cluster}" broke off its objects and cannot go on with them`);

/** As a watch tells it. */
export const errorLine = (error: StatusError): Buffer =>
  Buffer.from(`${JSON.stringify({ type: 'ERROR', object: error.toStatus() })}\n`);

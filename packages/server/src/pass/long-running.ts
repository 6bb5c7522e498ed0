/** Which requests have no deadline, as in kube-apiserver: watches and streams. */

import { isKapis } from '../target/kapis.ts';
import type { AskedTarget } from '../target/target.ts';

const streams = new Set(['log', 'exec', 'attach', 'portforward', 'proxy']);

export const isLongRunning = ({ ask }: Pick<AskedTarget, 'ask'>): boolean =>
  ask.is === 'resource' &&
  (ask.verb === 'watch' || ask.verb === 'proxy' || (ask.subresource !== undefined && streams.has(ask.subresource)));

/** Subresources whose bytes are not objects: no view changes them. */
export const isOpaque = ({ ask }: Pick<AskedTarget, 'ask'>): boolean =>
  ask.is === 'resource' && ask.subresource !== undefined && streams.has(ask.subresource);

/** The member's own proxy to a pod, service or node, or its ks-apiserver: another program answers. */
export const isProxied = ({ ask }: Pick<AskedTarget, 'ask'>): boolean =>
  isKapis(ask) || (ask.is === 'resource' && (ask.verb === 'proxy' || ask.subresource === 'proxy'));

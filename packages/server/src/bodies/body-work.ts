/** Work on bodies whose time grows with their size. It uses plain values only, so it can run on any thread. */

import { ownVersion } from '../present/versions.ts';
import { readTargetBody } from '../target/body-reading.ts';
import { strippedBody } from '../target/stripped-body.ts';
import type { ClusterName, RawBody, TargetBody } from '../target/target.ts';

/** The body as a cluster gets it. `unknown-version`: its merged version has no entry for this cluster, so it must not be sent (RV-5). */
export type Stripped = RawBody | 'unknown-version';

class UnknownVersion extends Error {}

function strip(body: TargetBody, cluster: ClusterName): Stripped {
  const versionOf = (text: string): string => {
    const own = ownVersion(text, cluster);
    if (own === undefined) throw new UnknownVersion();
    return own;
  };
  try {
    const { bytes, contentType } = strippedBody(body, { cluster, versionOf });
    return { bytes, contentType };
  } catch (error) {
    if (error instanceof UnknownVersion) return 'unknown-version';
    throw error;
  }
}

export const bodyWork = { read: readTargetBody, strip };

export type BodyWork = typeof bodyWork;

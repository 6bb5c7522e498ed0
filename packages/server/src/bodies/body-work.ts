/** What is done with bodies that takes time with their size: on values alone, so that any thread can do it. */

import { ownVersion } from '../present/versions.ts';
import { readTargetBody } from '../target/body-reading.ts';
import { strippedBody } from '../target/stripped-body.ts';
import type { ClusterName, RawBody, TargetBody } from '../target/target.ts';

/** As a cluster is to see it, or why it must not see it: a merged version says nothing of this cluster (RV-5). */
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

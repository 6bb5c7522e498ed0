/** An override that cannot be applied, with the policy that asked for it. */

import type { OverridePolicy } from '../api/policies.ts';

export class OverrideError extends Error {
  readonly policy: { kind: 'ClusterOverridePolicy' | 'OverridePolicy'; namespace?: string; name: string };
  readonly cluster: string;

  constructor({ metadata: { namespace, name } }: OverridePolicy, cluster: string, cause: unknown) {
    const policy = namespace ? `override policy(${namespace}/${name})` : `cluster override policy(${name})`;
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`Apply ${policy} for cluster(${cluster}) failed: ${why}`, { cause });
    this.policy = namespace ? { kind: 'OverridePolicy', namespace, name } : { kind: 'ClusterOverridePolicy', name };
    this.cluster = cluster;
  }
}

/** What there is to know of a member beside its health: the APIs it serves, its nodes and its resources (CLU-3). */

import type { GroupDiscoveryList } from '@fleet/kube/discovery.ts';
import type { Logger } from 'pino';
import type { Apis } from '../discovery/discovery.ts';
import type { ApiEnablement } from '../members/cluster.ts';
import type { Member } from '../members/member.ts';
import { readSummaries } from './resource-summary.ts';
import type { ConditionNews, News } from './status-writer.ts';

export type ReadApis = (member: Member) => Promise<Apis>;

/** Long enough for a hundred thousand pods, short enough that the next look is not in its way. */
const summaryDeadline = 50_000;

export async function readFacts(member: Member, apis: ReadApis, signal: AbortSignal, log: Logger): Promise<News> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(summaryDeadline)]);
  const [served, summaries] = await Promise.all([
    apis(member),
    readSummaries(member.control, deadline).catch((error: unknown) => {
      // A member joined by hand may not grant it: what was last known stays.
      if (!signal.aborted) log.warn({ err: error, cluster: member.name }, 'nodes and pods could not be counted');
      return {};
    }),
  ]);
  const apiEnablements = served.is === 'unknown' ? undefined : enablementsOf(served);
  return {
    facts: { ...summaries, ...(apiEnablements ? { apiEnablements } : {}) },
    condition: completeness(served, apiEnablements ?? []),
  };
}

function completeness(apis: Apis, enablements: readonly ApiEnablement[]): ConditionNews {
  const type = 'CompleteAPIEnablements';
  if (apis.is === 'unknown') {
    return { type, status: 'Unknown', reason: 'Unknown', message: 'discovery failed: the APIs are as they were last' };
  }
  if (enablements.length === 0) {
    return { type, status: 'False', reason: 'Empty', message: 'collected empty APIEnablements' };
  }
  if (apis.stale.length > 0) {
    const message = `the member itself could not discover ${apis.stale.join(', ')}`;
    return { type, status: 'False', reason: 'Partial', message };
  }
  return { type, status: 'True', reason: 'Complete', message: 'collected complete APIEnablements' };
}

/** In one order, so that the same APIs are the same text. */
function enablementsOf({ core, groups }: Extract<Apis, { is: 'known' }>): ApiEnablement[] {
  const all = [core, groups].flatMap(enablementsIn);
  return all.sort((a, b) => (a.groupVersion < b.groupVersion ? -1 : 1));
}

const enablementsIn = ({ items }: GroupDiscoveryList): ApiEnablement[] =>
  items.flatMap(({ metadata, versions = [] }) =>
    versions.map(({ version, resources = [] }) => ({
      groupVersion: metadata.name ? `${metadata.name}/${version}` : version,
      resources: resources
        .map(({ resource, responseKind }) => ({ name: resource, kind: responseKind?.kind ?? '' }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    })),
  );

/** Reads the status of a member besides its health: the APIs it serves, its nodes and its resources (CLU-3). */

import type { GroupDiscoveryList } from '@fleet/kube/discovery.ts';
import type { Logger } from 'pino';
import type { Apis } from '../discovery/discovery.ts';
import type { ApiEnablement } from '../members/cluster.ts';
import type { Member } from '../members/member.ts';
import { readSummaries } from './resource-summary.ts';
import type { ConditionUpdate, StatusUpdate } from './status-writer.ts';

export type ReadApis = (member: Member) => Promise<Apis>;

/** In milliseconds: enough for a hundred thousand pods, and less than the time to the next reading. */
const summaryDeadline = 50_000;
/** In bytes: about 5,000 resources. */
const mostListed = 512 * 1024;
/** The limits of a message: group versions, and characters. */
const mostNamed = 10;
const longestName = 320;

export async function readFacts(
  member: Member,
  apis: ReadApis,
  signal: AbortSignal,
  log: Logger,
): Promise<StatusUpdate> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(summaryDeadline)]);
  const [served, summaries] = await Promise.all([
    apis(member),
    readSummaries(member.control, deadline).catch((error: unknown) => {
      // A member that was joined by hand may not grant it: the last known values are kept.
      if (!signal.aborted) log.warn({ err: error, cluster: member.name }, 'nodes and pods could not be counted');
      return {};
    }),
  ]);
  const enablements = served.is === 'unknown' ? undefined : enablementsOf(served);
  return {
    facts: { ...summaries, ...(enablements ? { apiEnablements: enablements.listed } : {}) },
    condition: completeness(served, enablements),
  };
}

function completeness(apis: Apis, enablements: Enablements | undefined): ConditionUpdate {
  const type = 'CompleteAPIEnablements';
  if (apis.is === 'unknown' || !enablements) {
    return { type, status: 'Unknown', reason: 'Unknown', message: 'discovery failed: the APIs are as they were last' };
  }
  const { listed, leftOut } = enablements;
  if (listed.length === 0 && leftOut === 0) {
    return { type, status: 'False', reason: 'Empty', message: 'collected empty APIEnablements' };
  }
  const partial = [
    ...(leftOut > 0 ? [`${leftOut} group versions are left out: the member serves more than a Cluster can list`] : []),
    ...(apis.stale.length > 0 ? [`the member itself could not discover ${someOf(apis.stale)}`] : []),
  ];
  if (partial.length > 0) return { type, status: 'False', reason: 'Partial', message: partial.join('; ') };
  return { type, status: 'True', reason: 'Complete', message: 'collected complete APIEnablements' };
}

/** Shortened, as members choose these names: a condition holds 32 KiB, and people read it. */
function someOf(names: readonly string[]): string {
  const some = names.slice(0, mostNamed).map((name) => name.slice(0, longestName));
  const rest = names.length - some.length;
  return some.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

interface Enablements {
  listed: ApiEnablement[];
  /** How many group versions were left out. */
  leftOut: number;
}

/**
 * Sorted, so that the same APIs give the same text. Limited to `mostListed`: etcd takes 1.5 MiB per object, and a
 * refused status would hide that the member is ready (SEC-2).
 */
function enablementsOf({ core, groups }: Extract<Apis, { is: 'known' }>): Enablements {
  const listed: ApiEnablement[] = [];
  let leftOut = 0;
  let left = mostListed;
  for (const enablement of [core, groups].flatMap(enablementsIn)) {
    const size = Buffer.byteLength(JSON.stringify(enablement));
    if (size > left) leftOut++;
    else {
      left -= size;
      listed.push(enablement);
    }
  }
  for (const { resources } of listed) resources.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { listed: listed.sort((a, b) => (a.groupVersion < b.groupVersion ? -1 : 1)), leftOut };
}

const enablementsIn = ({ items }: GroupDiscoveryList): ApiEnablement[] =>
  items.flatMap(({ metadata, versions }) =>
    (versions ?? []).map(({ version, resources }) => ({
      groupVersion: metadata.name ? `${metadata.name}/${version}` : version,
      resources: (resources ?? []).map(({ resource, responseKind }) => ({
        name: resource,
        kind: textOf(responseKind?.kind),
      })),
    })),
  );

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

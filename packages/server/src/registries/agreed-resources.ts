/**
 * Decides what the resources of a group and version are (kind, scope, listable) if members' discovery disagrees: the control plane's
 * description counts, then the majority of members, so that no single member can redefine a resource for others (SEC-2). In a tie, each
 * member's own description of its own resource counts (CACHE-3). Pure.
 */

import type { ResourceDiscovery, VersionDiscovery } from '@fleet/kube/discovery.ts';
import type { Served } from '../discovery/discovery.ts';
import { isOfAnother } from '../discovery/resource-kind.ts';
import { builtInGroups } from './built-in-groups.ts';

export interface GroupVersion {
  group: string;
  version: string;
}

export interface AgreedResource {
  what: ResourceDiscovery;
  /** How many describe it so. The control plane has more votes than all members together. */
  votes: number;
}

/** The different descriptions of one resource, each with its votes. */
type Descriptions = Map<string, AgreedResource>;

interface Vote {
  descriptions: Descriptions;
  /** The votes of each kind, over all its descriptions. */
  kinds: Map<string, number>;
}

/** By resource. */
type Votes = ReadonlyMap<string, Vote>;

/** Half a vote. */
const tieBreaker = 0.5;

/** Resource names as Kubernetes allows them. Others, such as `../x`, would end up in the paths of requests to other members. */
const validName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
/** Kinds as Kubernetes allows them. They are kept for each resource, and written to the status of registries. */
const validKind = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/i;

const kindOf = ({ responseKind }: ResourceDiscovery): string => responseKind?.kind ?? '';
const isValid = (one: ResourceDiscovery): boolean => validName.test(one.resource) && validKind.test(kindOf(one));
const isListed = ({ verbs }: ResourceDiscovery): boolean => verbs.includes('list');
const describe = (one: ResourceDiscovery): string => `${one.scope} ${isListed(one)} ${kindOf(one)}`;

export class AgreedResources {
  private readonly members: readonly Served[];
  private readonly controlPlane: Served | undefined;
  private readonly known = new Map<string, Votes>();

  constructor(members: readonly (Served | undefined)[], controlPlane: Served | undefined) {
    this.members = members.filter((served) => served !== undefined);
    this.controlPlane = controlPlane;
  }

  /**
   * The listable resources of a kind, or of all kinds with `*`. With `own`, the resources of one member: as it describes them, without
   * outvoted ones. Without `own`: as the majority describes them, and on a tie as either side does. If several resources have the kind,
   * the one with most votes.
   */
  ofKind(of: GroupVersion, kind: string, own: readonly ResourceDiscovery[] | undefined): AgreedResource[] {
    const votes = this.votesOn(of);
    const described = own
      ? ownOf(votes, own).filter(({ what }) => !isOutvoted(votes, what))
      : [...votes.values()].flatMap(mostOf);
    return selectedOf(described, kind);
  }

  /**
   * The resources that one member describes as of the kind while the control plane or more members describe them as of another. They
   * are not cached, but are missing, not absent.
   */
  outvotedOfKind(of: GroupVersion, kind: string, own: readonly ResourceDiscovery[]): AgreedResource[] {
    if (kind !== '*' && this.ofKind(of, kind, own).length > 0) return [];
    const votes = this.votesOn(of);
    const outvoted = ownOf(votes, own).filter(({ what }) => isOutvoted(votes, what));
    return selectedOf(outvoted, kind);
  }

  /** Whether the control plane is known, and serves no resource of that name. */
  isOnlyOfMembers(of: GroupVersion, resource: string): boolean {
    if (!this.controlPlane) return false;
    return !versionIn(this.controlPlane, of)?.resources?.some((one) => one.resource === resource);
  }

  private votesOn(of: GroupVersion): Votes {
    const key = `${of.group}/${of.version}`;
    const votes = this.known.get(key) ?? this.count(of);
    this.known.set(key, votes);
    return votes;
  }

  private count(of: GroupVersion): Votes {
    const votes = new Map<string, Vote>();
    const isBuiltIn = builtInGroups.has(of.group);
    const add = (served: Served, by: number) => {
      for (const one of distinct(versionIn(served, of)?.resources ?? [])) {
        const { descriptions, kinds } = votes.get(one.resource) ?? { descriptions: new Map(), kinds: new Map() };
        const [key, kind, extra] = [describe(one), kindOf(one), hasDerivedName(one) ? tieBreaker : 0];
        const same = descriptions.get(key) ?? { what: one, votes: extra };
        descriptions.set(key, { ...same, votes: same.votes + by });
        // Of custom resources, whose names need not be derived from the kind, an equal claim of another member decides nothing.
        kinds.set(kind, (kinds.get(kind) ?? (isBuiltIn ? extra : 0)) + by);
        votes.set(one.resource, { descriptions, kinds });
      }
    };
    // Clusters of one version share the same discovery object: counted together.
    const alike = Map.groupBy(this.members, ({ core, groups }) => (of.group === '' ? core : groups));
    for (const same of alike.values()) add(same[0]!, same.length);
    if (this.controlPlane) add(this.controlPlane, this.members.length + 1);
    return votes;
  }
}

/** For each kind that no other has more votes than, the description that most give. */
function mostOf({ descriptions, kinds }: Vote): AgreedResource[] {
  const most = Math.max(...kinds.values());
  const byKind = Map.groupBy(descriptions.values(), ({ what }) => kindOf(what));
  return [...byKind].flatMap(([kind, [first, ...others]]) =>
    kinds.get(kind) === most ? [others.reduce((a, b) => (b.votes > a.votes ? b : a), first!)] : [],
  );
}

const ownOf = (votes: Votes, own: readonly ResourceDiscovery[]): AgreedResource[] =>
  distinct(own).map((what) => ({
    what,
    votes: votes.get(what.resource)?.descriptions.get(describe(what))?.votes ?? 0,
  }));

function isOutvoted(votes: Votes, own: ResourceDiscovery): boolean {
  const kinds = votes.get(own.resource)?.kinds ?? new Map<string, number>();
  return Math.max(0, ...kinds.values()) > (kinds.get(kindOf(own)) ?? 0);
}

function selectedOf(described: readonly AgreedResource[], kind: string): AgreedResource[] {
  const listed = described.filter(({ what }) => isListed(what));
  if (kind === '*') return listed;
  const [first, ...others] = listed.filter(({ what }) => kindOf(what) === kind);
  return first ? [others.reduce(preferred, first)] : [];
}

/**
 * Whether its name is the plural that Kubernetes derives from its kind, as for all built-in kinds. It breaks ties between kinds in the
 * built-in groups, so that with few clusters the built-in kinds win, and between resources of one kind.
 */
function hasDerivedName(one: ResourceDiscovery): boolean {
  const named = { group: 'any.group', version: 'v1' };
  const another = { ...one, resource: `not-${one.resource}` };
  const groups = { items: [{ metadata: { name: named.group }, versions: [{ version: 'v1', resources: [another] }] }] };
  const served = { core: { items: [] }, groups };
  return !isOfAnother(served, { ...named, resource: one.resource }, `${named.group}/v1`, kindOf(one));
}

function preferred(a: AgreedResource, b: AgreedResource): AgreedResource {
  if (a.votes !== b.votes) return a.votes > b.votes ? a : b;
  return a.what.resource < b.what.resource ? a : b;
}

/** The first of each name: repeating one gives no more votes. Without names that Kubernetes refuses (SEC-2). */
function distinct(resources: readonly ResourceDiscovery[]): ResourceDiscovery[] {
  const byName = new Map<string, ResourceDiscovery>();
  for (const one of resources) {
    if (!byName.has(one.resource) && isValid(one)) byName.set(one.resource, one);
  }
  return [...byName.values()];
}

export function versionIn({ core, groups }: Served, { group, version }: GroupVersion): VersionDiscovery | undefined {
  const { items } = group === '' ? core : groups;
  const known = items.find(({ metadata }) => (metadata.name ?? '') === group);
  return known?.versions?.find((one) => one.version === version);
}

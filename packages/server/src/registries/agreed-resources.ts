/** What the resources of one group and version are: the control plane decides, then most members, never one alone (SEC-2). Pure. */

import type { ResourceDiscovery, VersionDiscovery } from '@fleet/kube/discovery.ts';
import type { Served } from '../discovery/discovery.ts';
import { isOfAnother } from '../discovery/resource-kind.ts';

export interface GroupVersion {
  group: string;
  version: string;
}

export interface AgreedResource {
  what: ResourceDiscovery;
  /** By how many; those that the control plane serves have more than all others. */
  votes: number;
}

/** One description of a resource, and how many give it. */
type Descriptions = Map<string, AgreedResource>;

/** By resource. */
type Votes = ReadonlyMap<string, { descriptions: Descriptions; most: AgreedResource }>;

/** Of a vote: it decides between as many. */
const half = 0.5;

/** Of resources as Kubernetes allows them: others would be paths, in requests to members that did not name them. */
const validName = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;

const kindOf = ({ responseKind }: ResourceDiscovery): string => responseKind?.kind ?? '';
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
   * Those of a kind, or of all with `*`, that can be listed. `own`: as a member describes them; what others take for another kind
   * is left out. Without, as most describe them. If several are of the kind, the one counts that most say is.
   */
  ofKind(of: GroupVersion, kind: string, own: readonly ResourceDiscovery[] | undefined): AgreedResource[] {
    const votes = this.votesOn(of);
    const described = own
      ? distinct(own).flatMap((one) => ownOf(votes, one))
      : [...votes.values()].map(({ most }) => most);
    const listed = described.filter(({ what }) => isListed(what));
    if (kind === '*') return listed;
    const [first, ...others] = listed.filter(({ what }) => kindOf(what) === kind);
    return first ? [others.reduce(preferred, first)] : [];
  }

  private votesOn(of: GroupVersion): Votes {
    const key = `${of.group}/${of.version}`;
    const votes = this.known.get(key) ?? this.count(of);
    this.known.set(key, votes);
    return votes;
  }

  private count(of: GroupVersion): Votes {
    const byName = new Map<string, Descriptions>();
    const add = (served: Served, by: number) => {
      for (const one of distinct(versionIn(served, of)?.resources ?? [])) {
        const descriptions: Descriptions = byName.get(one.resource) ?? new Map();
        byName.set(one.resource, descriptions);
        const key = describe(one);
        const same = descriptions.get(key) ?? { what: one, votes: isGuessed(one) ? half : 0 };
        descriptions.set(key, { ...same, votes: same.votes + by });
      }
    };
    // Clusters of one version serve the same documents.
    const alike = Map.groupBy(this.members, ({ core, groups }) => (of.group === '' ? core : groups));
    for (const same of alike.values()) add(same[0]!, same.length);
    if (this.controlPlane) add(this.controlPlane, this.members.length + 1);
    const most = (descriptions: Descriptions) =>
      [...descriptions.values()].reduce((a, b) => (b.votes > a.votes ? b : a));
    return new Map([...byName].map(([name, descriptions]) => [name, { descriptions, most: most(descriptions) }]));
  }
}

/** As its member describes it, unless more say that it is of another kind. */
function ownOf(votes: Votes, own: ResourceDiscovery): AgreedResource[] {
  const vote = votes.get(own.resource);
  const { votes: by = 0 } = vote?.descriptions.get(describe(own)) ?? {};
  const isOther = vote && kindOf(vote.most.what) !== kindOf(own) && vote.most.votes > by;
  return isOther ? [] : [{ what: own, votes: by }];
}

/**
 * Whether its name is the one that Kubernetes guesses from its kind: its own kinds are found again by that, however few clusters
 * there are. Clients take the kind for this resource then, even if all that is known of the kind is another.
 */
function isGuessed(one: ResourceDiscovery): boolean {
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

/** The first of each name: whoever repeats one has no more votes for it. */
function distinct(resources: readonly ResourceDiscovery[]): ResourceDiscovery[] {
  const byName = new Map<string, ResourceDiscovery>();
  for (const one of resources) {
    if (!byName.has(one.resource) && validName.test(one.resource)) byName.set(one.resource, one);
  }
  return [...byName.values()];
}

export function versionIn({ core, groups }: Served, { group, version }: GroupVersion): VersionDiscovery | undefined {
  const { items } = group === '' ? core : groups;
  const known = items.find(({ metadata }) => (metadata.name ?? '') === group);
  return known?.versions?.find((one) => one.version === version);
}

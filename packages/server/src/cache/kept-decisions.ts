/** An LRU cache of the decisions of members: allowed access reviews, indexed by the role and binding that each depends on (IMP-3). */

import type { RbacGrant } from './rbac-reason.ts';

export interface KeptDecision {
  member: string;
  /** When the review was sent, in milliseconds since 1970. */
  at: number;
  /** The role and binding that allowed it; undefined if another authoriser did. */
  grant: RbacGrant | undefined;
}

interface MemberDecisions {
  keys: Set<string>;
  byObject: Map<string, Set<string>>;
}

export class KeptDecisions {
  private readonly most: number;
  /** Least recently used first. */
  private readonly decisions = new Map<string, KeptDecision>();
  private readonly members = new Map<string, MemberDecisions>();

  constructor(most: number) {
    this.most = most;
  }

  get size(): number {
    return this.decisions.size;
  }

  get(key: string): KeptDecision | undefined {
    const decision = this.decisions.get(key);
    if (!decision) return undefined;
    this.decisions.delete(key);
    this.decisions.set(key, decision);
    return decision;
  }

  set(key: string, decision: KeptDecision): void {
    this.delete(key);
    this.decisions.set(key, decision);
    const { keys, byObject } = this.ofMember(decision.member);
    keys.add(key);
    for (const object of objectsOf(decision)) {
      const those = byObject.get(object) ?? new Set();
      byObject.set(object, those.add(key));
    }
    if (this.decisions.size > this.most) this.delete(this.decisions.keys().next().value!);
  }

  delete(key: string): void {
    const decision = this.decisions.get(key);
    if (!decision) return;
    this.decisions.delete(key);
    const { keys, byObject } = this.ofMember(decision.member);
    keys.delete(key);
    for (const object of objectsOf(decision)) {
      const those = byObject.get(object);
      those?.delete(key);
      if (those?.size === 0) byObject.delete(object);
    }
    if (keys.size === 0) this.members.delete(decision.member);
  }

  /** Called when a role or binding has changed. Returns whether a decision depended on it. */
  deleteBy(member: string, object: string): boolean {
    const keys = [...(this.members.get(member)?.byObject.get(object) ?? [])];
    for (const key of keys) this.delete(key);
    return keys.length > 0;
  }

  deleteMember(member: string): void {
    for (const key of [...(this.members.get(member)?.keys ?? [])]) this.delete(key);
  }

  private ofMember(member: string): MemberDecisions {
    const known = this.members.get(member) ?? { keys: new Set(), byObject: new Map() };
    this.members.set(member, known);
    return known;
  }
}

const objectsOf = ({ grant }: KeptDecision): string[] => (grant ? [grant.binding, grant.role] : []);

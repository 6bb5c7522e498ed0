/** The yeses of members that are kept: bounded in number, and found by the RBAC object that they depend on (IMP-3). */

import type { RbacGrant } from './rbac-reason.ts';

export interface KeptYes {
  member: string;
  /** When it was asked for, in milliseconds since 1970. */
  at: number;
  /** What allowed it; undefined where that was not RBAC. */
  grant: RbacGrant | undefined;
}

interface MemberYeses {
  keys: Set<string>;
  byObject: Map<string, Set<string>>;
}

export class KeptYeses {
  private readonly most: number;
  /** The one that was not used for longest comes first. */
  private readonly yeses = new Map<string, KeptYes>();
  private readonly members = new Map<string, MemberYeses>();

  constructor(most: number) {
    this.most = most;
  }

  get size(): number {
    return this.yeses.size;
  }

  get(key: string): KeptYes | undefined {
    const yes = this.yeses.get(key);
    if (!yes) return undefined;
    this.yeses.delete(key);
    this.yeses.set(key, yes);
    return yes;
  }

  set(key: string, yes: KeptYes): void {
    this.delete(key);
    this.yeses.set(key, yes);
    const { keys, byObject } = this.ofMember(yes.member);
    keys.add(key);
    for (const object of objectsOf(yes)) {
      const those = byObject.get(object) ?? new Set();
      byObject.set(object, those.add(key));
    }
    if (this.yeses.size > this.most) this.delete(this.yeses.keys().next().value!);
  }

  delete(key: string): void {
    const yes = this.yeses.get(key);
    if (!yes) return;
    this.yeses.delete(key);
    const { keys, byObject } = this.ofMember(yes.member);
    keys.delete(key);
    for (const object of objectsOf(yes)) {
      const those = byObject.get(object);
      those?.delete(key);
      if (those?.size === 0) byObject.delete(object);
    }
    if (keys.size === 0) this.members.delete(yes.member);
  }

  /** The binding or role has changed. Returns whether a yes depended on it. */
  deleteBy(member: string, object: string): boolean {
    const keys = [...(this.members.get(member)?.byObject.get(object) ?? [])];
    for (const key of keys) this.delete(key);
    return keys.length > 0;
  }

  deleteMember(member: string): void {
    for (const key of [...(this.members.get(member)?.keys ?? [])]) this.delete(key);
  }

  private ofMember(member: string): MemberYeses {
    const known = this.members.get(member) ?? { keys: new Set(), byObject: new Map() };
    this.members.set(member, known);
    return known;
  }
}

const objectsOf = ({ grant }: KeptYes): string[] => (grant ? [grant.binding, grant.role] : []);

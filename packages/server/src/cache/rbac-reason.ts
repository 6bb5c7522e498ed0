/**
 * Which binding and role allowed a request, as a member's RBAC authoriser reports it:
 *
 *   RBAC: allowed by ClusterRoleBinding "view-all" of ClusterRole "view" to User "alice"
 *   RBAC: allowed by RoleBinding "view/web" of Role "view" to Group "dev"
 *
 * A RoleBinding is named `name/namespace`. Names can contain anything but a slash, and are quoted by Go's %q.
 */

export interface RbacGrant {
  /** As `rbacObject` writes them. */
  binding: string;
  role: string;
}

export type RbacKind = 'Role' | 'RoleBinding' | 'ClusterRole' | 'ClusterRoleBinding';

/** Identifies an RBAC object within a member; `namespace` is empty for cluster-scoped ones. */
export const rbacObject = (kind: RbacKind, namespace: string, name: string): string =>
  JSON.stringify([kind, namespace, name]);

const beginning = 'RBAC: allowed by ';
/** In characters: five names of 253, with escapes. Limited, as the text comes from a member and is kept (SEC-2). */
const longest = 4096;

/** Undefined if another authoriser allowed it, or the text is not understood: such a review is kept for seconds only. */
export function readRbacReason(reason: string): RbacGrant | undefined {
  if (!reason.startsWith(beginning) || reason.length > longest) return undefined;
  const words = new Words(reason, beginning.length);
  const bindingKind = words.upTo(' ');
  const bound = words.quoted();
  if (bound === undefined || words.upTo('of ') !== ' ') return undefined;
  const roleKind = words.upTo(' ');
  const role = words.quoted();
  if (role === undefined || words.upTo('to ') !== ' ') return undefined;
  const isWide = bindingKind === 'ClusterRoleBinding';
  if (!isWide && bindingKind !== 'RoleBinding') return undefined;
  if (roleKind !== 'ClusterRole' && (isWide || roleKind !== 'Role')) return undefined;
  const slash = bound.lastIndexOf('/');
  if (isWide !== slash < 0) return undefined;
  const [name, namespace] = isWide ? [bound, ''] : [bound.slice(0, slash), bound.slice(slash + 1)];
  return {
    binding: rbacObject(bindingKind, namespace, name),
    role: rbacObject(roleKind, roleKind === 'Role' ? namespace : '', role),
  };
}

class Words {
  private readonly text: string;
  private at: number;

  constructor(text: string, at: number) {
    this.text = text;
    this.at = at;
  }

  /** The text before the next `end`, which is skipped. */
  upTo(end: string): string | undefined {
    const found = this.text.indexOf(end, this.at);
    if (found < 0) return undefined;
    const before = this.text.slice(this.at, found);
    this.at = found + end.length;
    return before;
  }

  /** A string quoted by strconv.Quote. */
  quoted(): string | undefined {
    if (this.text[this.at] !== '"') return undefined;
    let value = '';
    for (let at = this.at + 1; at < this.text.length; ) {
      const sign = this.text[at]!;
      if (sign === '"') {
        this.at = at + 1;
        return value;
      }
      if (sign !== '\\') {
        value += sign;
        at++;
        continue;
      }
      const escaped = readEscape(this.text, at + 1);
      if (!escaped) return undefined;
      value += escaped.value;
      at = escaped.end;
    }
    return undefined;
  }
}

const plainEscapes = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
]);
/** Hex digits of each escape. `\x` is a code point only below 0x80; above, it is a byte of invalid UTF-8. */
const digitsOf = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

function readEscape(text: string, at: number): { value: string; end: number } | undefined {
  const letter = text[at] ?? '';
  const plain = plainEscapes.get(letter);
  if (plain !== undefined) return { value: plain, end: at + 1 };
  const end = at + 1 + (digitsOf.get(letter) ?? Number.NaN);
  const digits = text.slice(at + 1, end);
  if (!/^[0-9a-fA-F]+$/.test(digits) || at + 1 + digits.length !== end) return undefined;
  const point = Number.parseInt(digits, 16);
  if (point > 0x10ffff || (letter === 'x' && point >= 0x80)) return undefined;
  return { value: String.fromCodePoint(point), end };
}

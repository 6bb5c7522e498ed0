import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rbacObject, readRbacReason } from './rbac-reason.ts';

/** As strconv.Quote writes what is not printed as it is. */
const quoted = (text: string) =>
  `"${text
    .replace(/["\\]/g, '\\$&')
    .replace(/\n/g, '\\n')
    .replace(/\u00a0/g, '\\u00a0')}"`;

test('IMP-3: the binding and the role that a reason names', () => {
  expect(readRbacReason('RBAC: allowed by ClusterRoleBinding "all" of ClusterRole "view" to User "alice"')).toEqual({
    binding: rbacObject('ClusterRoleBinding', '', 'all'),
    role: rbacObject('ClusterRole', '', 'view'),
  });
  expect(readRbacReason('RBAC: allowed by RoleBinding "web-view/web" of Role "view" to Group "dev"')).toEqual({
    binding: rbacObject('RoleBinding', 'web', 'web-view'),
    role: rbacObject('Role', 'web', 'view'),
  });
  expect(
    readRbacReason('RBAC: allowed by RoleBinding "b/web" of ClusterRole "view" to ServiceAccount "bot/web"'),
  ).toEqual({ binding: rbacObject('RoleBinding', 'web', 'b'), role: rbacObject('ClusterRole', '', 'view') });
});

test('names may hold quotes, backslashes, spaces and the words of the sentence itself', () => {
  const name = fc.string({ unit: fc.constantFrom('"', '\\', ' ', 'of', 'to', 'Role', 'x', 'ä', '\n', '\u00a0', '😀') });
  fc.assert(
    fc.property(name, name, (binding, role) => {
      const bound = `RoleBinding ${quoted(`${binding}/web`)} of Role ${quoted(role)} to User "a"`;
      expect(readRbacReason(`RBAC: allowed by ${bound}`)).toEqual({
        binding: rbacObject('RoleBinding', 'web', binding),
        role: rbacObject('Role', 'web', role),
      });
    }),
  );
});

test('code points are read as Go writes them', () => {
  const reason = 'RBAC: allowed by ClusterRoleBinding "\\x01\\u200b\\U0001f600\\t" of ClusterRole "c" to User "a"';
  expect(readRbacReason(reason)?.binding).toBe(rbacObject('ClusterRoleBinding', '', '\x01\u200b\u{1f600}\t'));
});

test.each([
  '',
  'allowed by the cloud',
  'Webhook: RBAC: allowed by ClusterRoleBinding "a" of ClusterRole "b" to User "c"',
  'RBAC: allowed by',
  'RBAC: allowed by ClusterRoleBinding',
  'RBAC: allowed by ClusterRoleBinding "a',
  'RBAC: allowed by ClusterRoleBinding "a" of ClusterRole "b"',
  'RBAC: allowed by ClusterRoleBinding "a" of Role "b" to User "c"',
  'RBAC: allowed by ClusterRoleBinding "a/b" of ClusterRole "b" to User "c"',
  'RBAC: allowed by RoleBinding "a" of Role "b" to User "c"',
  'RBAC: allowed by SomeBinding "a" of Role "b" to User "c"',
  'RBAC: allowed by RoleBinding "a/b" of Some "b" to User "c"',
  'RBAC: allowed by RoleBinding "a/b" by way of Role "b" to User "c"',
  'RBAC: allowed by ClusterRoleBinding "\\xff" of ClusterRole "b" to User "c"',
  'RBAC: allowed by ClusterRoleBinding "\\u00" of ClusterRole "b" to User "c"',
  'RBAC: allowed by ClusterRoleBinding "\\Uffffffff" of ClusterRole "b" to User "c"',
])('any other text is not from RBAC: %s', (reason) => {
  expect(readRbacReason(reason)).toBeUndefined();
});

test('SEC-2: a reason that is longer than names can be is nobody’s: it would be kept', () => {
  const by = (name: string) => `RBAC: allowed by ClusterRoleBinding "${name}" of ClusterRole "view" to User "alice"`;
  expect(readRbacReason(by('b'.repeat(2_000)))).toBeDefined();
  expect(readRbacReason(by('b'.repeat(5_000)))).toBeUndefined();
});

/** Who may ask for what: all questions that a run is about. */

/** One asks its webhook before RBAC, so that it may deny what RBAC allows; the other behind it. */
export const clusters = ['webhook-first', 'webhook-last'] as const;
export type Cluster = (typeof clusters)[number];

/** Webhooks are asked about these only. */
export const userPrefix = 'cp-';
export const users = {
  'cp-ann': ['cp-red'],
  'cp-ben': ['cp-red', 'cp-blue'],
  'cp-cat': ['cp-blue'],
  'cp-dan': [],
  'cp-eve': ['cp-green'],
} as const satisfies Record<string, readonly string[]>;
export type User = keyof typeof users;
export const userNames = Object.keys(users) as User[];
export const groupNames = ['cp-red', 'cp-blue', 'cp-green'] as const;
export const groupsOf = (user: User): readonly string[] => users[user];

export const verbs = ['list', 'watch'] as const;
export const resources = ['configmaps', 'secrets'] as const;
export const namespaces = ['cp-one', 'cp-two'] as const;
export const names = ['alpha', 'beta'] as const;
/** Of all objects of a namespace `alpha` and `gamma` have it. */
export const selector = 'part=a';

/** What one user asks a member for. */
export interface Question {
  readonly user: User;
  readonly verb: (typeof verbs)[number];
  readonly resource: (typeof resources)[number];
  /** Empty: all of them. */
  readonly namespace: '' | (typeof namespaces)[number];
  /** Empty: whatever the name. */
  readonly name: '' | (typeof names)[number];
  /** With `selector`. */
  readonly isSelected: boolean;
}

export const keyOf = ({ user, verb, resource, namespace, name, isSelected }: Question): string =>
  `${user} ${verb} ${resource} ${namespace || '*'}/${name || '*'}${isSelected ? ` ${selector}` : ''}`;

export const allQuestions: readonly Question[] = userNames.flatMap((user) =>
  verbs.flatMap((verb) =>
    resources.flatMap((resource) =>
      (['', ...namespaces] as const).flatMap((namespace) =>
        (['', ...names] as const).flatMap((name) =>
          // The selector does not select `beta`: an answer without rows would show nothing of who allows it. And a name in a
          // namespace is looked for first, by a GET, which has no selectors (NAME-10).
          (name === 'beta' || (name !== '' && namespace !== '') ? [false] : [false, true]).map((isSelected) => ({
            user,
            verb,
            resource,
            namespace,
            name,
            isSelected,
          })),
        ),
      ),
    ),
  ),
);

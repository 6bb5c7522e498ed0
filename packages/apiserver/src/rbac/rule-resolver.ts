/** Resolves the rules of a user from roles and bindings, which watches keep in memory. */

import type { User } from '../authn/user.ts';
import { quoted } from '../errors/quoted.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { LiveCopy } from '../registry/live-copy.ts';
import type { ObjectRegistry } from '../registry/registry.ts';
import { decodeObject } from '../registry/stored-object.ts';
import { type Binding, BindingIndex, bindingOf, type Subject, subjectFor } from './binding-index.ts';
import type { PolicyRule } from './policy-rule.ts';

export interface RbacRegistries {
  roles: ObjectRegistry;
  roleBindings: ObjectRegistry;
  clusterRoles: ObjectRegistry;
  clusterRoleBindings: ObjectRegistry;
}

export interface Granted {
  binding: Binding;
  subject: Subject;
  rule: PolicyRule;
}

/** A binding refers to a role that does not exist. */
export interface Unresolved {
  fault: string;
}

export const rulesOf = (role: KubeObject): readonly PolicyRule[] => (role['rules'] as PolicyRule[] | undefined) ?? [];

/** From the store, not from the cache. Throws 404. */
export const storedRulesOf =
  ({ clusterRoles, roles }: Pick<RbacRegistries, 'clusterRoles' | 'roles'>) =>
  async ({ kind, name }: Binding['roleRef'], namespace: string): Promise<readonly PolicyRule[]> => {
    if (kind === 'ClusterRole') return rulesOf(decodeObject(await clusterRoles.get(name)));
    if (kind === 'Role') return rulesOf(decodeObject(await roles.get(name, { namespace })));
    throw new Error(`unsupported role reference kind: ${quoted(kind)}`);
  };

export class RuleResolver implements AsyncDisposable {
  readonly #clusterRoles: LiveCopy;
  readonly #roles: LiveCopy;
  readonly #bindings: readonly LiveCopy[];
  readonly #clusterWide = new BindingIndex();
  readonly #inNamespace = new Map<string, BindingIndex>();

  private constructor(registries: RbacRegistries, onError: (error: unknown) => void) {
    const onBinding = (now: KubeObject | undefined, before: KubeObject | undefined) => this.#bind(now, before);
    this.#clusterRoles = new LiveCopy({ registry: registries.clusterRoles, onChange: () => {}, onError });
    this.#roles = new LiveCopy({ registry: registries.roles, onChange: () => {}, onError });
    this.#bindings = [registries.clusterRoleBindings, registries.roleBindings].map(
      (registry) => new LiveCopy({ registry, onChange: onBinding, onError }),
    );
  }

  static async open(registries: RbacRegistries, onError: (error: unknown) => void): Promise<RuleResolver> {
    const resolver = new RuleResolver(registries, onError);
    await Promise.all(resolver.#copies.map(({ synced }) => synced));
    return resolver;
  }

  /** All rules of a user in a namespace, or cluster-wide without one. */
  *rulesFor(user: User, namespace: string): Iterable<Granted | Unresolved> {
    yield* this.#granted(user, this.#clusterWide, '');
    const local = namespace && this.#inNamespace.get(namespace);
    if (local) yield* this.#granted(user, local, namespace);
  }

  /** The rules of the role that a binding refers to. */
  rulesOfRole({ kind, name }: Binding['roleRef'], namespace: string): readonly PolicyRule[] | Unresolved {
    const isCluster = kind === 'ClusterRole';
    if (!isCluster && kind !== 'Role') return { fault: `unsupported role reference kind: ${quoted(kind)}` };
    const role = isCluster ? this.#clusterRoles.get(name) : this.#roles.get(name, namespace);
    if (role) return rulesOf(role);
    return { fault: `${kind.toLowerCase()}.rbac.authorization.k8s.io ${quoted(name)} not found` };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#copies.map((copy) => copy[Symbol.asyncDispose]()));
  }

  get #copies(): LiveCopy[] {
    return [this.#clusterRoles, this.#roles, ...this.#bindings];
  }

  *#granted(user: User, index: BindingIndex, namespace: string): Iterable<Granted | Unresolved> {
    for (const binding of index.of(user)) {
      const subject = subjectFor(binding, user);
      if (!subject) continue;
      const rules = this.rulesOfRole(binding.roleRef, namespace);
      if ('fault' in rules) yield rules;
      else for (const rule of rules) yield { binding, subject, rule };
    }
  }

  /** A changed binding keeps its namespace. */
  #bind(now: KubeObject | undefined, before: KubeObject | undefined): void | Promise<void> {
    return this.#indexFor((now ?? before)!).replace(before && bindingOf(before), now && bindingOf(now));
  }

  #indexFor({ metadata: { namespace } }: KubeObject): BindingIndex {
    if (!namespace) return this.#clusterWide;
    const index = this.#inNamespace.get(namespace) ?? new BindingIndex();
    this.#inNamespace.set(namespace, index);
    return index;
  }
}

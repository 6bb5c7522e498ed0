/** Access control of the API server: authentication, RBAC with its bootstrap policy, reviews, and tokens of ServiceAccounts. */

import { generateKeyPairSync } from 'node:crypto';
import { noSuchResource } from '@fleet/kube/status.ts';
import { createAccess } from './access/access.ts';
import { createAuthenticate, firstOf } from './authn/authenticate.ts';
import { publishClientCa } from './authn/published-cas.ts';
import type { ApiReply, Enter } from './http/message.ts';
import type { ServedResources } from './http/served-resources.ts';
import type { Guard } from './http/verb.ts';
import { configMaps, namespaces, secrets } from './kinds/core.ts';
import { clusterRoleBindings, roleBindings } from './kinds/role-bindings.ts';
import { clusterRoles, roles } from './kinds/roles.ts';
import { serviceAccounts } from './kinds/service-accounts.ts';
import { aggregateClusterRoles } from './rbac/aggregation.ts';
import { createAuthorizer } from './rbac/authorizer.ts';
import { ensureBootstrapPolicy } from './rbac/bootstrap.ts';
import { createGuards, type Permissions } from './rbac/escalation.ts';
import { RuleResolver, storedRulesOf } from './rbac/rule-resolver.ts';
import type { ObjectRegistry } from './registry/registry.ts';
import type { ResourceKind } from './registry/resource-kind.ts';
import { decodeObject } from './registry/stored-object.ts';
import { accessReviews } from './reviews/access-reviews.ts';
import { identityReviews } from './reviews/identity-reviews.ts';
import { rulesReview } from './reviews/rules-review.ts';
import { type AccountTokensOptions, accountTokens, type Lookup } from './tokens/account-tokens.ts';
import { bootstrapTokens } from './tokens/bootstrap-tokens.ts';
import { fillLegacyTokens, legacyTokens } from './tokens/legacy-tokens.ts';
import { ensureNamespaceObjects } from './tokens/namespace-objects.ts';
import { openIdDocuments } from './tokens/openid.ts';
import { readSigningKey } from './tokens/signing-key.ts';
import { tokenRequests } from './tokens/token-request.ts';

export interface AccessOptions {
  /** PEM of the key that signs ServiceAccount tokens. Without one, tokens do not outlive the server. */
  serviceAccountKey?: string | undefined;
  /** The issuer of those tokens, and their default audience. */
  issuer?: string | undefined;
  /** PEM; published to clients in all namespaces. */
  rootCa?: string | undefined;
  /** PEM; published for aggregated API servers. */
  clientCa?: string | undefined;
  /** Accepts requests without credentials, as system:anonymous. */
  anonymousAuth?: boolean | undefined;
  /** `host:port`, optionally with a path: the address at which clients reach the server. */
  address?: string | undefined;
}

export interface AccessControl extends AsyncDisposable {
  enter: Enter;
  documents: ReadonlyMap<string, () => ApiReply>;
  permissions: Permissions;
}

/** They take a few milliseconds. */
const mostRuleSteps = 100_000;

const ownKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

export async function openAccessControl(
  resources: ServedResources,
  options: AccessOptions,
  onError: (error: unknown) => void,
): Promise<AccessControl> {
  const {
    serviceAccountKey = ownKey(),
    issuer = 'https://kubernetes.default.svc',
    rootCa,
    anonymousAuth = true,
  } = options;
  await using opening = new AsyncDisposableStack();
  const registryOf = (kind: ResourceKind): ObjectRegistry => resources.find(kind)!.registry;
  const rbac = {
    roles: registryOf(roles),
    roleBindings: registryOf(roleBindings),
    clusterRoles: registryOf(clusterRoles),
    clusterRoleBindings: registryOf(clusterRoleBindings),
  };
  await ensureBootstrapPolicy(rbac);
  const aggregation = opening.use(aggregateClusterRoles(rbac.clusterRoles, onError));
  const rules = opening.use(await RuleResolver.open(rbac, onError));
  const authorizer = createAuthorizer(rules);

  const key = readSigningKey(serviceAccountKey);
  const tokenOptions: AccountTokensOptions = { key, issuer, apiAudiences: [issuer], lookup: lookupIn(resources) };
  const tokens = firstOf([
    accountTokens(tokenOptions),
    legacyTokens(tokenOptions),
    bootstrapTokens(tokenOptions.lookup, tokenOptions.apiAudiences),
  ]);
  for (const resource of [
    ...accessReviews(authorizer),
    rulesReview(rules),
    ...identityReviews(tokens, tokenOptions.apiAudiences),
    tokenRequests(tokenOptions),
  ])
    resources.answer(resource);

  const permissions: Permissions = {
    decide: (user, attributes) => authorizer.decide(user, attributes),
    rulesFor: (user, namespace) => rules.rulesFor(user, namespace),
    storedRules: storedRulesOf(rbac),
  };
  const guards = createGuards(permissions, mostRuleSteps);
  const guard = (kinds: readonly ResourceKind[], by: Guard) => {
    for (const kind of kinds) resources.find(kind)!.guard = by;
  };
  guard([roles, clusterRoles], guards.roles);
  guard([roleBindings, clusterRoleBindings], guards.bindings);

  const accounts = registryOf(serviceAccounts);
  const objects = {
    namespaces: registryOf(namespaces),
    accounts: resources.find(serviceAccounts)!,
    configMaps: resources.find(configMaps)!,
  };
  const inNamespaces = opening.use(ensureNamespaceObjects({ ...objects, rootCa, onError }));
  if (options.clientCa) await publishClientCa(objects.configMaps.registry, options.clientCa);
  const legacy = { secrets: registryOf(secrets), accounts, key, rootCa: rootCa ?? '' };
  opening.use(fillLegacyTokens({ ...legacy, onError }));
  await Promise.all([aggregation.settled, inNamespaces.settled]);

  const running = opening.move();
  return {
    enter: createAccess(createAuthenticate(tokens, anonymousAuth), authorizer),
    permissions,
    documents: openIdDocuments(key, issuer, options.address ?? 'kubernetes.default.svc'),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

const lookupIn =
  (resources: ServedResources): Lookup =>
  async (resource, name, namespace) => {
    const served = resources.find({ group: '', version: 'v1', resource });
    if (!served) throw noSuchResource();
    return decodeObject(await served.registry.get(name, { namespace }));
  };

/** Builds all parts of the server from its configuration. Nothing else builds any. */

import { join } from 'node:path';
import { HttpsUpstream } from '@fleet/client/https-upstream.ts';
import { KubeClient } from '@fleet/client/kube-client.ts';
import { openTunnels } from './agent-parts.ts';
import { firstOf } from './authn/authenticate.ts';
import { clientCertificates } from './authn/client-certificate.ts';
import { staticTokens } from './authn/static-tokens.ts';
import { tokenReviews } from './authn/token-review.ts';
import { accessReviews } from './authz/access-review.ts';
import { createAuthorizer } from './authz/authorize.ts';
import { createBodyAuthorizer } from './authz/large-body.ts';
import { OffLoopBodies } from './bodies/bodies.ts';
import { followCache, memberIdentityOf } from './cache/follow.ts';
import type { Config } from './config/config.ts';
import { bootstrapControlPlane } from './control-plane/bootstrap.ts';
import { openControlPlane } from './control-plane-parts.ts';
import { watchHealth } from './controllers/health.ts';
import { writeRegistryStatus } from './controllers/registries.ts';
import { watchRemovals } from './controllers/removal.ts';
import { Discovery } from './discovery/discovery.ts';
import { OpenApi } from './discovery/openapi/openapi.ts';
import { isOfAnother, kindOf, serves } from './discovery/resource-kind.ts';
import { refuseLeftovers } from './federation-leftovers.ts';
import type { OpenedFederation } from './federation-parts.ts';
import { createGateway } from './gateway.ts';
import type { AcceptAgent } from './http/agent-connections.ts';
import { withErrorsAsStatus } from './http/boundary.ts';
import type { Handler } from './http/message.ts';
import { Described } from './kubesphere/described.ts';
import { openFace } from './kubesphere/face.ts';
import { createDrain, type Drain } from './limits/drain.ts';
import { createInFlight } from './limits/in-flight.ts';
import { withUrlLimit } from './limits/url-length.ts';
import { rulesOf } from './member-rules.ts';
import { createMemberLimits } from './members/limited.ts';
import type { Member } from './members/member.ts';
import { followMembership } from './members/membership.ts';
import { MemberRegistry } from './members/registry.ts';
import { ByteBudget } from './merge/byte-budget.ts';
import { PageTokens } from './merge/page-token.ts';
import { type Audit, createAudit } from './observe/audit.ts';
import { openAuditFile } from './observe/audit-file.ts';
import { createCacheMetrics, measureCache } from './observe/cache-metrics.ts';
import { countLines } from './observe/line-metrics.ts';
import type { Logger } from './observe/log.ts';
import { countLoopDelay } from './observe/loop-metrics.ts';
import { createMemberMetrics } from './observe/member-metrics.ts';
import { createMetrics } from './observe/metrics.ts';
import { createObserver } from './observe/observed.ts';
import { countWatches } from './observe/watch-metrics.ts';
import { createOwnEndpoints } from './own-endpoints.ts';
import { controlPlaneCheck } from './own-health.ts';
import { isLongRunning } from './pass/long-running.ts';
import { openPki, type Pki } from './pki/data-dir.ts';
import { openSecretKey } from './pki/secret-key.ts';
import { type ControlPlanePlace, createPlaces } from './places.ts';
import type { KnownKinds } from './present/asked-objects.ts';
import { followRegistries } from './registries/follow.ts';
import { registeredSources } from './registries/registered-source.ts';
import type { ResourceRegistries } from './registries/registries.ts';
import { shownApis } from './registries/shown-apis.ts';
import { warnedOfStores } from './registries/store-warning.ts';
import { fleetOwnedGroups } from './target/owned-groups.ts';
import { karmada } from './target/target.ts';
import { followTokens, openTrust, type Trust } from './trust.ts';
import { productVersion } from './version.ts';
import { SharedWatches } from './watch/shared-watches.ts';
import { UnregisteredWatches } from './watch/unregistered-watches.ts';
import { WatchLimits } from './watch/watch-limits.ts';

/** Lets members work at once on lists of the usual size, and is small beside the memory that the process takes anyway. */
const listReadAhead = 48 * 1024 * 1024;

export interface Parts extends AsyncDisposable {
  pki: Pki;
  trust: Trust;
  drain: Drain;
  handler: Handler;
  /** Takes over connections of agents. */
  acceptAgent: AcceptAgent;
}

export async function buildParts(config: Config, log: Logger): Promise<Parts> {
  await using building = new AsyncDisposableStack();
  const names = [config.listen.host, ...config.serverName].filter(isName);
  const pki = await openPki(config.dataDir, names, (text) => log.warn(text));
  const controlPlane = await openControlPlane(config, pki, building, log);
  const client = new KubeClient(controlPlane, `fleet/${productVersion}`);
  const { ownsClusters, ownsRegistries } = await bootstrapControlPlane(client, log);
  if (!config.federation) await refuseLeftovers(client);
  const trust = building.use(await openTrust(config, pki.serving, client, log));
  const controlPlaneVersion = await client.get<Record<string, string>>('/version');

  const face = building.use(openFace(client, controlPlaneVersion['gitVersion'] ?? '', log));
  const described = new Described(controlPlane, face);

  const metrics = createMetrics();
  const audit = config.auditLog ? await openAudit(config.auditLog, config, building, log) : undefined;
  // Closed after everything that sends requests through them.
  const tunnels = building.use(await openTunnels(config.dataDir, metrics.registry, audit, log));
  const members = building.use(new MemberRegistry(client, log, { ...rulesOf(config), tunnel: tunnels.tunnels }));
  await members.synced();

  const memberMetrics = createMemberMetrics(metrics.registry, () => members.all());
  building.use(countLoopDelay(metrics.registry));
  const memberLimits = createMemberLimits(config.maxMemberRequestsInflight);
  countLines(metrics.registry, memberLimits.lines);
  members.events.on('left', ({ name }) => {
    memberMetrics.forget(name);
    memberLimits.forget(name);
  });
  const observer = createObserver(metrics, log);
  const watches = building.use(
    new SharedWatches(
      (error, cluster) => log.warn({ err: error, cluster }, 'a merged watch failed'),
      new WatchLimits({ perMember: config.maxMemberWatches, perUser: config.maxUserWatches }),
    ),
  );
  countWatches(metrics.registry, () => watches.watching);
  followMembership(members, {
    onLeft: (cluster) => watches.lose(cluster),
    onCame: () => watches.refresh(),
  });
  const drain = createDrain(() => watches.end());
  const inFlight = createInFlight({ reads: config.maxRequestsInflight, writes: config.maxMutatingRequestsInflight });
  const reviews = accessReviews(client);
  const discovery = new Discovery(
    () => [
      {
        name: karmada,
        upstream: described,
        owns: (group) => fleetOwnedGroups.has(group),
        isShownWhole: config.federation,
      },
      ...members.active().map(({ name, control }) => ({
        name,
        upstream: control,
        registered: shownApis(() => registries.resourcesOf(name)),
      })),
    ],
    log,
  );
  const registries: ResourceRegistries = building.use(await followRegistries(client, members, discovery, log));
  const unregistered = new UnregisteredWatches(registries);
  registries.events.on('changed', () => unregistered.check());
  registries.events.on('changed', () => watches.refresh());
  const { look } = building.use(discovery.keepFresh());
  const openapi = new OpenApi((view) => discovery.contributors(view), log);
  const apis = ({ name }: Member) => discovery.apisOf(name);
  building.use(
    watchHealth({ members, controlPlane: client, apis, writesStatus: ownsClusters, agents: tunnels.tunnels, log }),
  );
  if (ownsClusters) building.use(watchRemovals({ members, controlPlane: client, log }));
  building.use(await tunnels.follow({ members, controlPlane: client, writesStatus: ownsClusters, log }));
  for (const event of ['joined', 'changed', 'left'] as const) members.events.on(event, look);
  const kinds: KnownKinds = {
    isOfAnother: (asked, apiVersion, kind) => isOfAnother(discovery.lastUnion, asked, apiVersion, kind),
  };
  const bodies = building.use(new OffLoopBodies());
  const cacheMetrics = createCacheMetrics(metrics.registry);
  const followed = building.use(
    followCache({
      members,
      registries,
      onDescribed: (described) => {
        discovery.events.on('described', described);
        return () => discovery.events.off('described', described);
      },
      memory: config.cacheMemory * 1024 * 1024,
      views: config.cachedViews,
      onCached: (cluster) => cacheMetrics.answered(cluster, 'cached'),
      onLive: cacheMetrics.answered,
      onReview: cacheMetrics.reviewed,
      log,
    }),
  );
  const { cache, sources, objects } = followed;
  let federation: OpenedFederation | undefined;
  if (config.federation) {
    // None of its code is loaded where it is off.
    const { openFederation } = await import('./federation-parts.ts');
    federation = building.use(await openFederation({ config, controlPlane: client, members, discovery, metrics, log }));
  }
  if (ownsRegistries) building.use(writeRegistryStatus({ registries, cache, controlPlane: client, log }));
  measureCache(metrics.registry, {
    stat: () => cache.stat(),
    staleness: () => cache.staleness(),
    keptPermissions: () => followed.keptPermissions(),
    rbacWatched: () => cache.rbacWatched,
  });
  const places = createPlaces(
    { upstream: described, face, kubesphere: hostKubeSphere(config, building) },
    members,
    bodies,
    kinds,
    {
      cached: {
        source: (ask, live) => sources.source(ask, live),
        upstream: (ask, upstream) => sources.upstream(ask, upstream),
        gets: (ask) => objects.upstream(ask),
        known: (ask, call) => objects.known(ask, call),
      },
      measured: memberMetrics.measured,
      limited: memberLimits.limited,
      openPages: !config.sandboxProxies,
    },
  );
  const gateway = createGateway({
    authenticator: firstOf(
      [
        clientCertificates(pki.ca.cert, trust.clientCas),
        ...(config.tokenAuthFile ? [staticTokens(building.use(await followTokens(config.tokenAuthFile, log)))] : []),
        tokenReviews(client),
      ],
      config.anonymousAuth,
      new Set(config.authorizationAlwaysAllowPaths),
    ),
    reviews,
    bodies,
    isCluster: (name) => name === karmada || members.cluster(name) !== undefined,
    templates: config.federation,
    registrations: registries,
    unregistered,
    authorizer: createAuthorizer(
      reviews,
      () => members.names(),
      new Set(config.authorizationAlwaysAllowPaths),
      registries,
    ),
    bodyAuthorizer: createBodyAuthorizer(reviews, () => members.names()),
    kinds,
    routeTo: places.routeTo,
    knownAt: places.knownAt,
    sourceOf: registeredSources(places.sourceOf, registries),
    async warned(cluster, target, reply) {
      const answer = await warnedOfStores(target, reply);
      return federation ? federation.warned(cluster, target, answer) : answer;
    },
    answerItself: createOwnEndpoints({
      discovery,
      openapi,
      metrics,
      version: controlPlaneVersion,
      ready: () => !drain.begun,
      checks: [controlPlaneCheck(controlPlane)],
    }),
    watches,
    kindOf: (resource) => kindOf(discovery, resource),
    serves: (cluster, resource) => serves(discovery, cluster, resource),
    serverOf(name) {
      const cluster = members.cluster(name);
      return cluster?.spec.apiEndpoint ? memberIdentityOf(cluster) : undefined;
    },
    partialLists: config.partialLists,
    requireCluster: config.requireClusterForWrites,
    listBudget: new ByteBudget(listReadAhead),
    pageTokens: new PageTokens(await openSecretKey(join(config.dataDir, 'page-tokens.key'))),
    onMissing: ({ cluster }) => metrics.missing.inc({ cluster }),
    onCaller: (incoming, caller) => audit?.onCaller(incoming, caller),
    onTarget(incoming, target, user) {
      audit?.onTarget(incoming, target, user);
      observer.onTarget(incoming, target);
      drain.onTarget(incoming, target);
    },
    admit: inFlight.admit,
  });
  const handler = observer.wrap(withErrorsAsStatus(withUrlLimit(drain.wrap(gateway)), log));
  const running = building.move();
  return {
    pki,
    trust,
    drain,
    acceptAgent: (stream, address) => tunnels.tunnels.accept(stream, address),
    handler: audit ? audit.wrap(handler) : handler,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** The host cluster's ks-apiserver, if one is configured (KS-3). */
function hostKubeSphere(
  { kubesphereEndpoint: url, kubesphereToken: passesToken }: Config,
  owner: AsyncDisposableStack,
): ControlPlanePlace['kubesphere'] {
  return url === undefined ? undefined : { upstream: owner.use(new HttpsUpstream({ url, tls: {} })), passesToken };
}

async function openAudit(path: string, config: Config, owner: AsyncDisposableStack, log: Logger): Promise<Audit> {
  const rotation = { bytes: config.auditLogMaxsize * 1024 * 1024, backups: config.auditLogMaxbackup };
  const file = owner.use(
    await openAuditFile(path, (error) => log.error({ err: error }, 'writing the audit log failed'), rotation),
  );
  process.on('SIGHUP', file.reopen);
  owner.defer(() => {
    process.off('SIGHUP', file.reopen);
  });
  return createAudit(file.write, isLongRunning);
}

/** `0.0.0.0`, `::` and an empty host are addresses to listen on, not names for clients. */
const isName = (host: string): boolean => host !== '' && host !== '0.0.0.0' && host !== '::';

/** The API server over a store: its kinds, its handler, and its controllers. It knows nothing of fleets. */

import { StatusError } from '@fleet/kube/status.ts';
import { type AccessControl, type AccessOptions, openAccessControl } from './access-control.ts';
import {
  type AdmissionName,
  admissionOf,
  controlPlaneAdmission,
  deletionHooks,
  enforcedBy,
  loadAdmission,
} from './admission/admission.ts';
import { ensureSystemPriorityClasses } from './admission/system-priority-classes.ts';
import { createConnect } from './connect/connect.ts';
import type { Connector } from './connect/connector.ts';
import { admitToDefinition } from './crds/admission.ts';
import { Checks } from './crds/custom/checks.ts';
import { definitionKind, definitionTypes } from './crds/definition-kind.ts';
import { Definitions } from './crds/definitions.ts';
import { GarbageCollector } from './garbage/collector.ts';
import type { ComputedResource } from './http/computed-resource.ts';
import { FieldOwner } from './http/field-owner.ts';
import { createHandler } from './http/handler.ts';
import type { ApiHandler } from './http/message.ts';
import { builtInTypes, type ObjectTypes } from './http/object-types.ts';
import { ServedResources } from './http/served-resources.ts';
import type { Call } from './http/verb.ts';
import { builtInKinds } from './kinds/built-in-kinds.ts';
import { namespaces, secrets } from './kinds/core.ts';
import { startEventExpiry } from './kinds/event-expiry.ts';
import { kindHooks } from './kinds/kind-hooks.ts';
import { pods } from './kinds/pods/kind.ts';
import { defaultStoredObjects } from './kinds/stored-defaults.ts';
import { LongRequests } from './long-requests/long-requests.ts';
import { ownPatch } from './long-requests/own-patch.ts';
import { admitNamespaceDeletion, admitToNamespace } from './namespaces/admission.ts';
import { emptyNamespaces } from './namespaces/emptying.ts';
import { OpenApi } from './openapi/documents.ts';
import { bindings } from './pod-requests/binding.ts';
import { evictions } from './pod-requests/eviction.ts';
import { attributesOf } from './rbac/attributes.ts';
import { notAllowed, refusal } from './rbac/forbidden.ts';
import { isCustom, type PrintedKind } from './registry/printed-kind.ts';
import { Registry } from './registry/registry.ts';
import { keyPrefix } from './registry/resource-kind.ts';
import { startCompaction } from './store/compaction.ts';
import type { ObjectStore } from './store/object-store.ts';

/** The prefixes that the store has to encrypt (CP-6). */
export const encryptedPrefixes: readonly string[] = [keyPrefix(secrets)];

const priorityClasses = { group: 'scheduling.k8s.io', version: 'v1', resource: 'priorityclasses' };

/** Created at the start, as in every cluster. */
const firstNamespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

export interface ApiServerOptions {
  store: ObjectStore;
  /** The Kubernetes version whose behaviour it has, such as `v1.36.3`. */
  gitVersion: string;
  access?: AccessOptions | undefined;
  /** Why a namespace must not be deleted now, in addition to the namespaces that Kubernetes protects; undefined if it may be. */
  whyNamespaceIsKept?: ((name: string) => Promise<string | undefined>) | undefined;
  /** The enabled admission plugins; by default those of a control plane. */
  admission?: readonly AdmissionName[] | undefined;
  /** The URL of a module with additional admission by the surrounding product: an `AdmissionModule`. */
  admissionModule?: string | undefined;
  /** The built-in kinds to serve, such as `pods` or `deployments.apps`; all by default. Those that the server needs are always served. */
  kinds?: readonly string[] | undefined;
  /** Read-only resources that are computed on each read. */
  computed?: readonly ComputedResource[] | undefined;
  /** Runs pods; without it the server responds that it runs none. */
  connector?: Connector | undefined;
  /** Receives errors that clients do not see. */
  onInternalError(error: unknown): void;
}

export interface ApiServer extends AsyncDisposable {
  handler: ApiHandler;
  resources: ServedResources;
  /** Serves an additional kind until the result is disposed: then its watches end. */
  serve(kind: PrintedKind, types?: ObjectTypes): Promise<AsyncDisposable & { registry: Registry }>;
}

/** The caller keeps ownership of the store. */
export async function openApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const { store, gitVersion, onInternalError, kinds, admission = controlPlaneAdmission, admissionModule } = options;
  const asking = { names: admission, module: await loadAdmission(admissionModule), store };
  await defaultStoredObjects(store, builtInKinds(kinds));
  const resources = new ServedResources();
  for (const computed of options.computed ?? []) resources.compute(computed);
  const spaces = await Registry.open(store, namespaces, Date.now, {
    ...deletionHooks(namespaces, asking),
    admitDeletion: admitNamespaceDeletion(options.whyNamespaceIsKept),
  });

  const long = new LongRequests({
    store,
    kinds,
    admission,
    admissionModule,
    permissions: {
      decide: (user, attributes) => access.permissions.decide(user, attributes),
      rulesFor: (user, namespace) => access.permissions.rulesFor(user, namespace),
    },
    onInternalError,
  });

  const hooksOf = kindHooks(store);
  const serve: ApiServer['serve'] = async (printed, types = builtInTypes(printed)) => {
    const admit = admitToNamespace(spaces, printed);
    const requires = [
      ...(printed.namespaced ? [admit] : []),
      ...(isCustom(printed) ? [admitToDefinition(() => definitionsRegistry, printed)] : []),
    ];
    const registry =
      printed === namespaces
        ? spaces
        : await Registry.open(store, printed, Date.now, {
            ...hooksOf(printed),
            ...deletionHooks(printed, asking),
            requires,
          });
    const asked = admissionOf(printed, asking);
    const resource = { printed, registry, types, owner: new FieldOwner(types), admit, ...asked };
    resources.add(resource);
    return {
      registry,
      [Symbol.asyncDispose]: () => {
        resources.remove(resource);
        return registry[Symbol.asyncDispose]();
      },
    };
  };
  for (const kind of builtInKinds(kinds, enforcedBy(admission))) await serve(kind);
  await Promise.all(firstNamespaces.map((name) => ensureNamespace(spaces, name)));

  await ensureSystemPriorityClasses(resources.find(priorityClasses)!.registry);

  const served = resources.find(pods);
  if (served) {
    const budgets = resources.find({ group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' });
    for (const answered of [...bindings(served.registry), evictions(served.registry, budgets?.registry)])
      resources.answer(answered);
  }

  const checks = new Checks();
  const defining = definitionKind((definition, old) => checks.definition(definition, old));
  const { registry: definitionsRegistry } = await serve(defining, definitionTypes(defining));
  const definitions = await Definitions.open({
    registry: definitionsRegistry,
    conversions: (kind, isLong) => long.conversions(kind, isLong),
    patch: ownPatch(long, resources.find(defining)!),
    serve,
    contents: (kind) => Registry.unwatched(store, kind),
    check: (definition, version) => checks.of(definition, version),
    onError: onInternalError,
  });

  const access: AccessControl = await openAccessControl(resources, options.access ?? {}, onInternalError);

  const garbage = new GarbageCollector({ store, resources, onError: onInternalError });
  const compaction = startCompaction(store, { onError: onInternalError });
  const kept = resources.find({ group: '', version: 'v1', resource: 'events' })!;
  const expiry = startEventExpiry(kept.registry, { onError: onInternalError });
  const ending = new AbortController();
  // All versions of a kind have the same objects.
  const contents = () => [
    ...new Map(
      resources.all.flatMap(({ registry }) => (registry.kind.namespaced ? [[keyPrefix(registry.kind), registry]] : [])),
    ).values(),
  ];
  const emptying = emptyNamespaces({ namespaces: spaces, contents, signal: ending.signal, onError: onInternalError });

  resources.runsPods = options.connector !== undefined;
  const authorize = async ({ user, ask }: Call, verb: string): Promise<void> => {
    const { allowed, reason } = await access.permissions.decide(user, { ...attributesOf(ask), verb });
    if (!allowed) throw notAllowed(ask, ask.name ?? '', reason);
  };

  return {
    handler: createHandler({
      enter: access.enter,
      createRefused: async (user, ask) => {
        const attributes = attributesOf({ ...ask, verb: 'create' });
        const { allowed, reason } = await access.permissions.decide(user, attributes);
        return allowed ? undefined : refusal(user, attributes, reason).toStatus();
      },
      resources,
      serve: (resource, call) => long.serve(resource, call),
      connect: createConnect({ connector: options.connector, authorize, onInternalError }),
      plain: access.documents,
      documents: new OpenApi(resources, gitVersion, (kind, form) => long.described(kind, form)),
      gitVersion,
      onInternalError,
    }),
    resources,
    serve,
    [Symbol.asyncDispose]: async () => {
      compaction[Symbol.dispose]();
      expiry[Symbol.dispose]();
      await garbage[Symbol.asyncDispose]();
      ending.abort();
      await emptying;
      await access[Symbol.asyncDispose]();
      await definitions[Symbol.asyncDispose]();
      await checks[Symbol.asyncDispose]();
      await long[Symbol.asyncDispose]();
      await Promise.all(resources.all.map(({ registry }) => registry[Symbol.asyncDispose]()));
    },
  };
}

async function ensureNamespace(registry: Registry, name: string): Promise<void> {
  try {
    await registry.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  } catch (error) {
    if (!(error instanceof StatusError && error.reason === 'AlreadyExists')) throw error;
  }
}

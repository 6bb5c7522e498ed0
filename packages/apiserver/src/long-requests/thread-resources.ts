/** The served resources, as a worker thread finds them: built in, or from the definition in the store. */

import { StatusError } from '@fleet/kube/status.ts';
import { type AdmissionParts, admissionOf, deletionHooks, enforcedBy } from '../admission/admission.ts';
import type { AdmissionModule } from '../admission/plugin.ts';
import { admitToDefinition } from '../crds/admission.ts';
import type { Check } from '../crds/custom/custom-kind.ts';
import { customKind } from '../crds/custom/custom-kind.ts';
import { customTypes, schemaOf } from '../crds/custom/custom-types.ts';
import { validatorOf } from '../crds/custom/validation.ts';
import type { Definition, Version } from '../crds/definition.ts';
import { definitionKind, definitionTypes } from '../crds/definition-kind.ts';
import { definitionErrors } from '../crds/validation/definition-rules.ts';
import { FieldOwner } from '../http/field-owner.ts';
import { builtInTypes, type ObjectTypes } from '../http/object-types.ts';
import type { Resource } from '../http/verb.ts';
import { builtInKinds } from '../kinds/built-in-kinds.ts';
import { namespaces } from '../kinds/core.ts';
import { kindHooks } from '../kinds/kind-hooks.ts';
import { clusterRoleBindings, roleBindings } from '../kinds/role-bindings.ts';
import { clusterRoles, roles } from '../kinds/roles.ts';
import { admitToNamespace } from '../namespaces/admission.ts';
import { createGuards, type Permissions } from '../rbac/escalation.ts';
import { storedRulesOf } from '../rbac/rule-resolver.ts';
import { isCustom, type PrintedKind } from '../registry/printed-kind.ts';
import { Registry } from '../registry/registry.ts';
import { decodeObject } from '../registry/stored-object.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { Path, ThreadOptions } from './messages.ts';

const textOf = ({ group, version, resource }: Path): string => `${group}/${version}/${resource}`;

/** How many definitions are cached. */
const mostKept = 20;

interface Served extends Pick<ThreadOptions, 'kinds' | 'admission'> {
  module: AdmissionModule | undefined;
}

interface Defined {
  /** Of the definition. */
  revision: number;
  resources: Map<string, Resource>;
}

export class ThreadResources {
  readonly #store: ObjectStore;
  readonly #admission: AdmissionParts;
  readonly #hooksOf: ReturnType<typeof kindHooks>;
  readonly #spaces: Registry;
  readonly #definitions: Registry;
  readonly #builtIn: ReadonlyMap<string, Resource>;
  readonly #defined = new Map<string, Defined>();

  constructor(
    store: ObjectStore,
    known: Pick<Permissions, 'decide' | 'rulesFor'>,
    { kinds, admission, module }: Served,
  ) {
    this.#store = store;
    this.#admission = { names: admission, module, store };
    this.#hooksOf = kindHooks(store);
    this.#spaces = Registry.unwatched(store, namespaces);
    const defining = definitionKind(async (definition, old) => definitionErrors(definition, old));
    this.#definitions = Registry.unwatched(store, defining);
    const storedRules = storedRulesOf({
      roles: Registry.unwatched(store, roles),
      clusterRoles: Registry.unwatched(store, clusterRoles),
    });
    const guards = createGuards({ ...known, storedRules });
    const guardOf = (kind: PrintedKind) => {
      if (kind === roles || kind === clusterRoles) return guards.roles;
      return kind === roleBindings || kind === clusterRoleBindings ? guards.bindings : undefined;
    };
    const all = [
      ...builtInKinds(kinds, enforcedBy(admission)).map((kind) => ({ ...this.#resource(kind), guard: guardOf(kind) })),
      this.#resource(defining, definitionTypes(defining)),
    ];
    this.#builtIn = new Map(all.map((resource) => [textOf(resource.printed), resource]));
  }

  async find(path: Path): Promise<Resource | undefined> {
    return this.#builtIn.get(textOf(path)) ?? (await this.#custom(path));
  }

  async #custom({ group, resource, version }: Path): Promise<Resource | undefined> {
    const name = `${resource}.${group}`;
    const entry = await this.#definitions.get(name).catch(noneIfGone);
    if (!entry) return undefined;
    let defined = this.#defined.get(name);
    if (defined?.revision !== entry.revision) {
      if (this.#defined.size >= mostKept) this.#defined.clear();
      defined = { revision: entry.revision, resources: this.#served(decodeObject(entry) as Definition) };
      this.#defined.set(name, defined);
    }
    return defined.resources.get(version);
  }

  #served(definition: Definition): Map<string, Resource> {
    const isGoing = () => definition.metadata.deletionTimestamp !== undefined;
    const versions = definition.spec.versions.filter(({ served }) => served);
    return new Map(
      versions.map((version) => {
        const kind = customKind(definition, version, checkOf(definition, version), isGoing);
        return [version.name, this.#resource(kind, customTypes(definition, version))];
      }),
    );
  }

  #resource(printed: PrintedKind, types: ObjectTypes = builtInTypes(printed)): Resource {
    const admit = admitToNamespace(this.#spaces, printed);
    const requires = [
      ...(printed.namespaced ? [admit] : []),
      ...(isCustom(printed) ? [admitToDefinition(() => this.#definitions, printed)] : []),
    ];
    const hooks = { ...this.#hooksOf(printed), ...deletionHooks(printed, this.#admission), requires };
    const registry = Registry.unwatched(this.#store, printed, hooks);
    const asked = admissionOf(printed, this.#admission);
    return { printed, registry, types, owner: new FieldOwner(types), admit, ...asked };
  }
}

function noneIfGone(error: unknown): undefined {
  if (!(error instanceof StatusError && error.code === 404)) throw error;
}

function checkOf(definition: Definition, version: Version): Check {
  const validate = validatorOf(schemaOf(definition, version), version.subresources?.scale);
  return async (object, old, isBlocked) => validate({ object, old, isBlocked });
}

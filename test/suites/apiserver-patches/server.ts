/** Writes to a real kube-apiserver, with every digit. */

import type { Member } from '@fleet/bed/member.ts';
import { Connection } from '@fleet/differential/connection.ts';
import type { Random } from '@fleet/differential/random.ts';
import { type JsonObject, type JsonValue, jsonText, parseJson } from '@fleet/kube/json-value.ts';
import { type Action, configOf, jsonPatchOf, mergePatchOf, strategicPatchOf } from './generate.ts';
import type { TriedKind } from './kinds.ts';
import { make } from './shape.ts';
import type { Trial } from './trial.ts';

const mediaType: Record<Action, string> = {
  create: 'application/json',
  update: 'application/json',
  apply: 'application/apply-patch+yaml',
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
};

const method: Record<Action, string> = {
  create: 'POST',
  update: 'PUT',
  apply: 'PATCH',
  json: 'PATCH',
  merge: 'PATCH',
  strategic: 'PATCH',
};

interface Write {
  action: Action;
  name: string;
  body: JsonValue;
  manager: string;
  force?: boolean;
  dryRun: boolean;
}

export interface Answered {
  code: number;
  body: JsonObject;
}

export class Server implements AsyncDisposable {
  readonly #connection: Connection;

  constructor({ server, ca, admin }: Pick<Member, 'server' | 'ca' | 'admin'>) {
    this.#connection = new Connection({ url: server, ca, ...admin });
  }

  async #send(path: string, verb = 'GET', query = {}, contentType?: string, body?: JsonValue): Promise<Answered> {
    const { status, body: answered } = await this.#connection.send({
      method: verb,
      path,
      query: Object.entries<string>(query),
      headers: {
        accept: 'application/json',
        'user-agent': 'patches',
        ...(contentType ? { 'content-type': contentType } : {}),
      },
      ...(body === undefined ? {} : { body: jsonText(body) }),
    });
    return { code: status, body: parseJson(answered.toString()) as JsonObject };
  }

  define(definition: JsonObject): Promise<Answered> {
    return this.#send(
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      'POST',
      {},
      'application/json',
      definition,
    );
  }

  get({ root, resource }: TriedKind, name: string): Promise<Answered> {
    return this.#send(`${root}/namespaces/default/${resource}/${name}`);
  }

  list({ root, resource }: TriedKind): Promise<Answered> {
    return this.#send(`${root}/namespaces/default/${resource}`);
  }

  write({ root, resource }: TriedKind, { action, name, body, manager, force, dryRun }: Write): Promise<Answered> {
    const query = {
      fieldManager: manager,
      ...(force ? { force: 'true' } : {}),
      ...(dryRun ? { dryRun: 'All' } : {}),
    };
    const path = `${root}/namespaces/default/${resource}${action === 'create' ? '' : `/${name}`}`;
    return this.#send(path, method[action], query, mediaType[action], body);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#connection[Symbol.asyncDispose]();
  }
}

const actions = [
  [3, 'apply'],
  [2, 'json'],
  [2, 'merge'],
  [3, 'strategic'],
  [1, 'update'],
] as const;

const actionsOn = ({ isCustom }: TriedKind) => actions.filter(([, action]) => !isCustom || action !== 'strategic');

const named = (
  object: JsonObject,
  { apiVersion, kind }: TriedKind,
  name: string,
  more: JsonObject = {},
): JsonObject => ({
  ...object,
  apiVersion,
  kind,
  metadata:
    typeof object['metadata'] === 'object' && !Array.isArray(object['metadata'])
      ? { ...object['metadata'], name, namespace: 'default', ...more }
      : (object['metadata'] ?? null),
});

function bodyOf(action: Action, kind: TriedKind, name: string, live: JsonObject | null, random: Random): JsonValue {
  switch (action) {
    case 'json':
      return jsonPatchOf(live!, random);
    case 'merge':
      return mergePatchOf(kind, random);
    case 'strategic':
      return strategicPatchOf(kind, random);
    case 'apply':
      return named(configOf(kind, random), kind, name);
    default: {
      const { resourceVersion, uid } = (live?.['metadata'] ?? {}) as JsonObject;
      const kept = live ? { resourceVersion: resourceVersion!, uid: uid! } : {};
      return named(make(kind.shape, random) as JsonObject, kind, name, kept);
    }
  }
}

const versionOf = (object: JsonObject) => (object['metadata'] as JsonObject | undefined)?.['resourceVersion'];

/** Tries writes on one object, each first without effect and then with it, as long as it takes to make `count` trials. */
export async function* tried(
  server: Server,
  kind: TriedKind,
  name: string,
  random: Random,
  from: number,
  count: number,
) {
  for (let number = from; number < from + count; number++) {
    const before = await server.get(kind, name);
    let live = before.code === 200 ? before.body : null;
    const action = live ? random.weighted(actionsOn(kind)) : random.pick(['create', 'apply'] as const);
    const write = {
      action,
      name,
      body: bodyOf(action, kind, name, live, random),
      manager: random.pick(['one', 'two', 'three', 'kubectl']),
      ...(action === 'apply' ? { force: random.chance(0.3) } : {}),
    };
    const trial = (answered: Answered): Trial => ({
      number,
      kind: kind.kind,
      action,
      live,
      body: write.body,
      manager: write.manager,
      force: write.force ?? false,
      code: answered.code,
      answer: answered.body,
    });
    // A controller may have written in between: then it was another object that was answered for.
    for (;;) {
      const answered = await server.write(kind, { ...write, dryRun: true });
      const after = await server.get(kind, name);
      const now = after.code === 200 ? after.body : null;
      if (!live || !now || versionOf(live) === versionOf(now)) {
        // The object is still as it was: who gets this can ask what the server makes of ours.
        yield trial(answered);
        break;
      }
      live = now;
      if (action === 'update')
        ((write.body as JsonObject)['metadata'] as JsonObject)['resourceVersion'] = versionOf(now)!;
    }
    await server.write(kind, { ...write, dryRun: false });
  }
}

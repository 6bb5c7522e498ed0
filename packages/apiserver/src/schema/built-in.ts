/** The built-in kinds of the newest Kubernetes: their types and discovery data, read on first use. */

import { resources } from './generated/resources.ts';
import { types } from './generated/types.ts';
import type { Schema } from './open-api.ts';
import type { Resource } from './resource.ts';

let lines: Map<string, string> | undefined;
const parsed = new Map<string, Schema>();

/** The definition of a type by its OpenAPI name, such as `io.k8s.api.core.v1.Pod`. */
export function builtInType(name: string): Schema | undefined {
  const known = parsed.get(name);
  if (known) return known;
  lines ??= new Map(types.split('\n').map((line) => splitAt(line, line.indexOf(' '))));
  const line = lines.get(name);
  if (!line) return undefined;
  const schema = JSON.parse(line) as Schema;
  parsed.set(name, schema);
  return schema;
}

const splitAt = (line: string, at: number): [string, string] => [line.slice(0, at), line.slice(at + 1)];

let listed: Resource[] | undefined;

/** In the order of discovery. */
export function builtInResources(): readonly Resource[] {
  listed ??= resources.split('\n').map((line) => JSON.parse(line) as Resource);
  return listed;
}

let kinds: Map<string, string> | undefined;

/** The OpenAPI name of a kind's type. */
export function builtInTypeOf(apiVersion: string, kind: string): string | undefined {
  kinds ??= namesOfKinds();
  return kinds.get(`${apiVersion}/${kind}`);
}

function namesOfKinds(): Map<string, string> {
  const names = new Map<string, string>();
  for (const line of types.split('\n')) {
    // Few types are kinds; only those lines are parsed.
    if (!line.includes('"x-kubernetes-group-version-kind"')) continue;
    const [name] = splitAt(line, line.indexOf(' '));
    for (const { group, version, kind } of builtInType(name)?.['x-kubernetes-group-version-kind'] ?? []) {
      names.set(`${group ? `${group}/` : ''}${version}/${kind}`, name);
    }
  }
  return names;
}

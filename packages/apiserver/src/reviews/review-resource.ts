/** A review as a resource: its body is read, and what the review says is put over it. */

import { type AnsweredResource, passingKind } from '../http/answered-resource.ts';
import { FieldOwner, managerOf } from '../http/field-owner.ts';
import { builtInTypes } from '../http/object-types.ts';
import { readJson } from '../http/read-object.ts';
import type { Call } from '../http/verbs.ts';
import type { KubeObject } from '../registry/kube-object.ts';

/** What it gives replaces fields of the object. */
export type Review = (object: KubeObject, call: Call) => Promise<object> | object;

export function reviewResource(group: string, kind: string, review: Review, namespaced = false): AnsweredResource {
  const passing = passingKind({ group, version: 'v1', kind, namespaced });
  const types = builtInTypes(passing);
  const owner = new FieldOwner(types);
  return {
    at: passing,
    kind: passing,
    async create(call) {
      const { request, query } = call;
      const object = owner.tracked(undefined, types.read(readJson(request, kind)), managerOf(request, query));
      const { apiVersion, metadata, spec, status } = object;
      return { kind, apiVersion, metadata, spec: spec ?? {}, status: status ?? {}, ...(await review(object, call)) };
    },
  };
}

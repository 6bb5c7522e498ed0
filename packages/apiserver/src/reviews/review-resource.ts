/** A review as a virtual resource: its body is decoded, and the result is merged into it. */

import { type AnsweredResource, answeredReader, passingKind } from '../http/answered-resource.ts';
import type { Call } from '../http/verb.ts';
import type { KubeObject } from '../registry/kube-object.ts';

/** The result replaces fields of the object. */
export type Review = (object: KubeObject, call: Call) => Promise<object> | object;

export function reviewResource(group: string, kind: string, review: Review, namespaced = false): AnsweredResource {
  const passing = passingKind({ group, version: 'v1', kind, namespaced });
  return {
    at: passing,
    kind: passing,
    read: answeredReader(passing),
    async answer(object, call) {
      const { apiVersion, metadata, spec } = object;
      return { kind, apiVersion, metadata, ...(spec ? { spec } : {}), ...(await review(object, call)) };
    },
  };
}

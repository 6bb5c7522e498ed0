/** The ControllerRevision kind: the templates that a StatefulSet or DaemonSet had. */

import type { KubeObject } from '@fleet/client/kube-client.ts';
import { canonicalJson, ordered } from './canonical-json.ts';
import type { PodTemplate } from './objects.ts';

export interface RevisionData {
  spec: { template: PodTemplate & { $patch: 'replace' } };
}

export interface ControllerRevision extends KubeObject {
  data: RevisionData;
  revision: number;
}

export const revisionPaths = { root: 'apis/apps/v1', resource: 'controllerrevisions' };

/** A strategic merge patch that replaces the template. Its keys are in Go's order, as clients compare bytes. */
export const revisionData = (template: PodTemplate): RevisionData =>
  ordered({ spec: { template: { ...template, $patch: 'replace' } } });

const texts = new WeakMap<RevisionData, string>();

/** The bytes that Kubernetes compares and hashes. */
export function dataText(data: RevisionData): string {
  let text = texts.get(data);
  if (text === undefined) {
    text = canonicalJson(data);
    texts.set(data, text);
  }
  return text;
}

export function templateOf({ data }: ControllerRevision): PodTemplate {
  const { $patch: _, ...template } = data.spec.template;
  return template;
}

/** Those of the same number are ordered by time, then by name. */
export const byRevisionNumber = (left: ControllerRevision, right: ControllerRevision): number => {
  if (left.revision !== right.revision) return left.revision - right.revision;
  const [leftTime = '', rightTime = ''] = [left.metadata.creationTimestamp, right.metadata.creationTimestamp];
  if (leftTime !== rightTime) return leftTime < rightTime ? -1 : 1;
  return left.metadata.name < right.metadata.name ? -1 : 1;
};

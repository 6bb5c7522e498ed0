/** What kubectl shows of pods and templates of pods. */

import type { KubeObject } from '../registry/kube-object.ts';
import { type Column, sinceTime } from '../registry/printed-kind.ts';
import { columnsOf, containerNames, images, labelsText, type Template } from './data-columns.ts';
import { podSpec, podState, podStatus } from './pod-state.ts';

function restarts(pod: KubeObject, now: number): string {
  const state = podState(pod);
  if (state.restarts === 0 || state.lastRestart === 0) return String(state.restarts);
  return `${state.restarts} (${sinceTime(new Date(state.lastRestart).toISOString(), now)} ago)`;
}

function readinessGates(pod: KubeObject): string {
  const { readinessGates: gates = [] } = podSpec(pod);
  const { conditions = [] } = podStatus(pod);
  const open = gates.filter(
    ({ conditionType }) => conditions.find(({ type }) => type === conditionType)?.status === 'True',
  );
  return gates.length === 0 ? '<none>' : `${open.length}/${gates.length}`;
}

const templateOf = ({ template }: KubeObject): Template => (template ?? {}) as Template;

/** By group and resource. */
export const podColumns: Readonly<Record<string, () => Column[]>> = {
  '/pods': () =>
    columnsOf('', 'pods', {
      Ready: (pod) => `${podState(pod).ready}/${podState(pod).total}`,
      Status: (pod) => podState(pod).word,
      Restarts: restarts,
      IP: (pod) => podStatus(pod).podIPs?.[0]?.ip || '<none>',
      Node: (pod) => podSpec(pod).nodeName || '<none>',
      'Nominated Node': (pod) => podStatus(pod).nominatedNodeName || '<none>',
      'Readiness Gates': readinessGates,
    }),
  '/podtemplates': () =>
    columnsOf('', 'podtemplates', {
      Containers: (object) => containerNames(templateOf(object)),
      Images: (object) => images(templateOf(object)),
      'Pod Labels': (object) => labelsText(templateOf(object).metadata?.labels),
    }),
};

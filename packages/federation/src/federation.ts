/** Starts the pipeline that propagates resource templates to members: policies, bindings, Works, and statuses on the way back. */

import { EventRecorder } from '@fleet/client/event-recorder.ts';
import type { KubeClient } from '@fleet/client/kube-client.ts';
import { Pace } from '@fleet/client/pace.ts';
import { SharedInformers } from '@fleet/client/shared-informers.ts';
import { timeText } from '@fleet/kube/time-text.ts';
import { aggregateStatus } from './aggregate/aggregate-controller.ts';
import {
  clusterOverridePoliciesPath,
  clusterPropagationPoliciesPath,
  overridePoliciesPath,
  propagationPoliciesPath,
} from './api/paths.ts';
import { ApplyController } from './apply/apply-controller.ts';
import { claimTemplates } from './claim/claim-controller.ts';
import { isTemplateKind } from './claim/never-templates.ts';
import { distributeDependencies } from './dependencies/dependencies-controller.ts';
import type { OnCall } from './explore/hooks/ask-hooks.ts';
import { createHookCalls, type HookCallOptions } from './explore/hooks/call-hook.ts';
import { createExplorer } from './explore/hooks/explorer.ts';
import { followHooks } from './explore/hooks/followed-hooks.ts';
import { nativeRulesOf } from './explore/native/native-rules.ts';
import type { Resource } from './kinds/kinds.ts';
import { isLeaving } from './members/leaving.ts';
import { type MemberConnections, MemberObjects } from './members/member-objects.ts';
import { keepNamespaces } from './namespaces/namespaces-controller.ts';
import { bindingsOf, clustersOf, type Pipeline, type PipelineLog, worksOf } from './pipeline.ts';
import { type ReflectController, reflectStatus } from './reflect/reflect-controller.ts';
import { type SchedulingOptions, scheduleBindings } from './schedule/schedule-controller.ts';
import { keepSpaces } from './spaces/spaces-controller.ts';
import { Templates } from './templates/templates.ts';
import { type TurnOffOptions, turnOff } from './turn-off/turn-off-controller.ts';
import { managedSelector } from './work/marks.ts';
import { keepWorks } from './work/work-controller.ts';

export interface FederationParts {
  controlPlane: KubeClient;
  connections: MemberConnections;
  served: ServedResources;
  scheduling: SchedulingOptions;
  hooks: HookCallOptions;
  /** For metrics: called once for each call of a webhook. */
  onHookCall?: OnCall;
  log: PipelineLog;
  /** Pause between two checks of what is left while federation is turned off, in milliseconds. */
  turnOffPause?: number;
}

/** What the control plane serves, as its discovery reports it. */
export interface ServedResources {
  current(): readonly Resource[];
  onChange(call: () => void): Disposable;
}

/** Throws where the signal aborts before the first lists are in. */
export const startFederation = (parts: FederationParts, signal: AbortSignal): Promise<AsyncDisposable> =>
  start(parts, signal, (pipeline, started) => allSteps(pipeline, started, parts.scheduling));

/** Removes what the pipeline has created, and creates nothing more (FED-38). Throws as `startFederation` does. */
export const startTurningOff = (
  parts: FederationParts,
  options: TurnOffOptions,
  signal: AbortSignal,
): Promise<AsyncDisposable> =>
  start(parts, signal, (pipeline, started) => {
    started.use(new ApplyController(pipeline));
    started.use(turnOff(pipeline, options, parts.turnOffPause));
    return undefined;
  });

/** Starts steps of the pipeline; returns the one that receives changes in members. */
type Begin = (pipeline: Pipeline, started: AsyncDisposableStack) => ReflectController | undefined;

function allSteps(pipeline: Pipeline, started: AsyncDisposableStack, scheduling: SchedulingOptions): ReflectController {
  started.use(keepSpaces(pipeline));
  started.use(claimTemplates(pipeline));
  started.use(scheduleBindings(pipeline, scheduling));
  started.use(keepWorks(pipeline));
  started.use(keepNamespaces(pipeline, { chosenOnly: false, isFederated: scheduling.isFederated }));
  started.use(distributeDependencies(pipeline));
  const apply = started.use(new ApplyController(pipeline));
  const reflect = started.use(reflectStatus(pipeline, apply));
  started.use(aggregateStatus(pipeline));
  return reflect;
}

async function start(parts: FederationParts, signal: AbortSignal, begin: Begin): Promise<AsyncDisposable> {
  const { controlPlane: client, connections, served, hooks, onHookCall, log } = parts;
  await using starting = new AsyncDisposableStack();
  const onError = (error: unknown) => log.warn({ err: error }, 'watching the control plane for the federation failed');
  const informers = starting.use(new SharedInformers({ client, onError }));
  const templates = starting.use(new Templates({ client, isTemplateKind, onError }));
  let reflect: ReflectController | undefined;
  const objects = starting.use(
    new MemberObjects({
      connections,
      selector: managedSelector,
      onChange: (cluster, now, old) => reflect?.changed(cluster, now, old),
      onError: (cluster, error) => log.warn({ err: error, cluster }, 'watching a member for the federation failed'),
    }),
  );
  const recorder = starting.use(
    new EventRecorder({
      client,
      component: 'fleet-federation',
      onError: (error) => log.warn({ err: error }, 'an event could not be recorded'),
    }),
  );
  const calls = starting.use(createHookCalls(hooks));
  const hookListeners = new Set<() => void>();
  const followed = starting.use(
    followHooks(informers, () => {
      for (const call of hookListeners) call();
    }),
  );
  const explorer = createExplorer({
    hooks: followed.index,
    native: nativeRulesOf,
    call: calls.call,
    factsOf: (object) => templates.kinds.of(object),
    ...(onHookCall && { onCall: onHookCall }),
    onIgnored: (object, error) => recorder.event(object, 'Warning', 'ExploreHookIgnored', error.message),
  });
  const pipeline: Pipeline = {
    client,
    informers,
    templates,
    connections,
    objects,
    explorer,
    onHooks(call) {
      hookListeners.add(call);
      return { [Symbol.dispose]: () => void hookListeners.delete(call) };
    },
    record: (...event) => recorder.event(...event),
    log,
    now: () => timeText(Date.now()),
    pace: new Pace(),
  };
  templates.follow(served.current());
  await synced(pipeline, signal);
  starting.use(served.onChange(() => templates.follow(served.current())));
  starting.use(
    clustersOf(pipeline).subscribe((name, now, old) => {
      if (!now || isLeaving(now) || (old && old.metadata.uid !== now.metadata.uid)) void objects.forget(name);
    }),
  );
  reflect = begin(pipeline, starting);
  const running = starting.move();
  return { [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/**
 * Waits for the initial lists: after that, an object that is missing in a copy is missing in the control plane. Templates are not waited
 * for. One kind that cannot be listed would block all others, and what was created for a template is kept until its deletion is known.
 */
async function synced(pipeline: Pipeline, signal: AbortSignal): Promise<void> {
  const { informers } = pipeline;
  clustersOf(pipeline);
  bindingsOf(pipeline);
  worksOf(pipeline);
  for (const path of [
    propagationPoliciesPath,
    clusterPropagationPoliciesPath,
    overridePoliciesPath,
    clusterOverridePoliciesPath,
  ]) {
    informers.of(path);
  }
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    signal.throwIfAborted();
    await Promise.race([informers.synced(), promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

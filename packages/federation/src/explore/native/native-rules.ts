/** The kinds of Kubernetes that are understood without a webhook (FED-12). */

import type { ObjectRules } from '../object-rules.ts';
import { deploymentRules } from './deployment.ts';
import { cronJobRules, jobRules } from './job.ts';
import { ingressRules, serviceRules } from './load-balancers.ts';
import { podRules } from './pod.ts';
import { disruptionBudgetRules, podAutoscalerRules } from './pod-guards.ts';
import { secretRules, serviceAccountRules } from './service-account.ts';
import { daemonSetRules, replicaSetRules, statefulSetRules } from './sets.ts';
import { volumeClaimRules, volumeRules } from './volumes.ts';

const rules = new Map<string, ObjectRules>([
  ['apps/v1 Deployment', deploymentRules],
  ['apps/v1 ReplicaSet', replicaSetRules],
  ['apps/v1 StatefulSet', statefulSetRules],
  ['apps/v1 DaemonSet', daemonSetRules],
  ['batch/v1 Job', jobRules],
  ['batch/v1 CronJob', cronJobRules],
  ['v1 Pod', podRules],
  ['v1 Service', serviceRules],
  ['networking.k8s.io/v1 Ingress', ingressRules],
  ['v1 PersistentVolumeClaim', volumeClaimRules],
  ['v1 PersistentVolume', volumeRules],
  ['v1 ServiceAccount', serviceAccountRules],
  ['v1 Secret', secretRules],
  ['policy/v1 PodDisruptionBudget', disruptionBudgetRules],
  ['autoscaling/v2 HorizontalPodAutoscaler', podAutoscalerRules],
]);

export const nativeRulesOf = (apiVersion: string, kind: string): ObjectRules | undefined =>
  rules.get(`${apiVersion} ${kind}`);

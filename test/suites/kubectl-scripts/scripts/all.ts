/** All scripts, the longest first. */

import type { Script } from '../script.ts';
import { replicas, rollouts, strategies } from './deployments.ts';
import { budgets, nodes } from './disruptions.ts';
import { cronJobs, jobs } from './jobs.ts';
import { pods, services } from './pods.ts';
import { daemonSets, statefulSets } from './sets.ts';

export const scripts: readonly Script[] = [
  nodes,
  rollouts,
  statefulSets,
  replicas,
  jobs,
  daemonSets,
  budgets,
  strategies,
  services,
  pods,
  cronJobs,
];

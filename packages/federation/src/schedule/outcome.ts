/** What is reported of a schedule: the condition `Scheduled` of the binding (FED-16), and the event (FED-13). */

import type { TargetCluster } from '../api/bindings.ts';
import type { Condition } from '../api/objects.ts';
import type { ScheduleResult } from './schedule.ts';

const scheduled = 'Binding has been scheduled successfully.';

export function scheduledCondition(result: ScheduleResult): Omit<Condition, 'lastTransitionTime'> {
  switch (result.is) {
    case 'scheduled':
      return { type: 'Scheduled', status: 'True', reason: 'Success', message: scheduled };
    case 'noFit':
      return { type: 'Scheduled', status: 'False', reason: 'NoClusterFit', message: result.message };
    case 'unschedulable':
      return { type: 'Scheduled', status: 'False', reason: result.reason, message: result.message };
    default:
      return result satisfies never;
  }
}

export interface ScheduleEvent {
  type: 'Normal' | 'Warning';
  reason: 'ScheduleBindingSucceed' | 'ScheduleBindingFailed';
  message: string;
}

export function scheduleEvent(result: ScheduleResult): ScheduleEvent {
  switch (result.is) {
    case 'scheduled': {
      const message = `${scheduled} Result: {${result.clusters.map(targetText).join(', ')}}`;
      return { type: 'Normal', reason: 'ScheduleBindingSucceed', message };
    }
    case 'noFit':
    case 'unschedulable':
      return { type: 'Warning', reason: 'ScheduleBindingFailed', message: result.message };
    default:
      return result satisfies never;
  }
}

const targetText = ({ name, replicas = 0 }: TargetCluster): string => `${name}:${replicas}`;

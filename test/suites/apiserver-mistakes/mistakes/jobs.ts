import type { KindMistakes } from '../mistake.ts';
import type { JsonObject } from '../rule-request.ts';
import { podSpec } from './pods.ts';

const template: JsonObject = { spec: { ...podSpec, restartPolicy: 'Never' } };

export const jobs: KindMistakes = {
  base: { apiVersion: 'batch/v1', kind: 'Job', metadata: {}, spec: { suspend: true, template } },
  create: {
    'no template': { 'spec/template': undefined },
    'always restarted': { 'spec/template/spec/restartPolicy': undefined },
    'negative completions': { 'spec/completions': -1 },
    'negative parallelism': { 'spec/parallelism': -1 },
    'negative limit of failures': { 'spec/backoffLimit': -1 },
    'negative deadline': { 'spec/activeDeadlineSeconds': -1 },
    'negative time to live': { 'spec/ttlSecondsAfterFinished': -1 },
    'mode that is none': { 'spec/completionMode': 'Ordered' },
    'indices without completions': { 'spec/completionMode': 'Indexed' },
    'selector of its own': { 'spec/selector': { matchLabels: { a: 'b' } } },
    'manual selector without one': { 'spec/manualSelector': true },
    'failures of an index without indices': { 'spec/backoffLimitPerIndex': 1 },
    'failure policy of a job that restarts': {
      'spec/template/spec/restartPolicy': 'OnFailure',
      'spec/podFailurePolicy': {
        rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [1] } }],
      },
    },
    'failure policy of no exit code': {
      'spec/podFailurePolicy': { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [0] } }] },
    },
    'failure policy of no action': {
      'spec/podFailurePolicy': { rules: [{ action: 'Stop', onExitCodes: { operator: 'In', values: [1] } }] },
    },
    'replacement that is none': { 'spec/podReplacementPolicy': 'Always' },
    'manager that is none': { 'spec/managedBy': 'nobody at all' },
    'name too long for its pods': { 'metadata/name': 'x'.repeat(64) },
    'template without an image': { 'spec/template/spec/containers/0/image': undefined },
  },
  update: {
    'other completions': [{ 'spec/completions': 2 }, { 'spec/completions': 3 }],
    'another image': { 'spec/template/spec/containers/0/image': 'example.dev/image:2' },
    'another mode': [{ 'spec/completions': 2 }, { 'spec/completions': 2, 'spec/completionMode': 'Indexed' }],
    'another manager': { 'spec/managedBy': 'example.dev/other' },
    'another limit of failures of an index': [
      { 'spec/completions': 2, 'spec/completionMode': 'Indexed', 'spec/backoffLimitPerIndex': 1 },
      { 'spec/backoffLimitPerIndex': 2 },
    ],
  },
  status: {
    'negative count': { 'status/active': -1 },
    'complete and failed': {
      'status/conditions': [
        { type: 'Complete', status: 'True' },
        { type: 'Failed', status: 'True' },
      ],
    },
  },
};

export const cronJobs: KindMistakes = {
  base: {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: {},
    spec: { schedule: '*/5 * * * *', suspend: true, jobTemplate: { spec: { template } } },
  },
  create: {
    'no schedule': { 'spec/schedule': undefined },
    'schedule of four fields': { 'spec/schedule': '* * * *' },
    'schedule of the 61st minute': { 'spec/schedule': '61 * * * *' },
    'time zone in the schedule': { 'spec/schedule': 'TZ=UTC * * * * *' },
    'time zone that is none': { 'spec/timeZone': 'Berlin' },
    'time zone without a name': { 'spec/timeZone': '' },
    'concurrency that is none': { 'spec/concurrencyPolicy': 'Never' },
    'negative deadline': { 'spec/startingDeadlineSeconds': -1 },
    'negative history': { 'spec/successfulJobsHistoryLimit': -1 },
    'no template': { 'spec/jobTemplate': undefined },
    'always restarted': { 'spec/jobTemplate/spec/template/spec/restartPolicy': 'Always' },
    'job of its own selector': { 'spec/jobTemplate/spec/manualSelector': true },
    'name too long for its jobs': { 'metadata/name': 'x'.repeat(53) },
  },
  update: {
    'schedule that is none': { 'spec/schedule': 'hourly' },
    'time zone that is none': { 'spec/timeZone': 'Mars/Olympus' },
  },
};

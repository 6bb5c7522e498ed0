/** Jobs and CronJobs. */

import { apply, kubectl, type Script } from '../script.ts';
import { failing, job, lasting } from './objects.ts';

export const jobs: Script = {
  name: 'jobs',
  steps(random) {
    const completions = 2 + random.below(3);
    return [
      kubectl('create job once --image=busybox -- date'),
      kubectl('wait --for=condition=complete job/once --timeout=30s'),
      kubectl('get jobs,pods -o wide'),
      apply(job('many', { completions, parallelism: 2 })),
      apply(job('numbered', { completions, parallelism: completions, completionMode: 'Indexed' })),
      apply(job('bad', { backoffLimit: 0 }, { annotations: failing })),
      kubectl('get jobs'),
      apply(job('lasting', { parallelism: 2, completions: 4 }, { annotations: lasting })),
      kubectl('patch job lasting -p {"spec":{"parallelism":1}}'),
      kubectl('patch job lasting -p {"spec":{"suspend":true}}'),
      kubectl('get jobs lasting'),
      kubectl('patch job lasting -p {"spec":{"suspend":false}}'),
      kubectl('delete job lasting'),
      apply(job('waiting', { suspend: true })),
      kubectl('patch job waiting -p {"spec":{"suspend":false}}'),
      kubectl('delete job once --cascade=orphan'),
      kubectl('get pods'),
      kubectl('delete job many --cascade=foreground'),
      kubectl('delete jobs --all'),
    ];
  },
};

/** Its only time of the year is past, whenever this runs. */
const yearly = ['0', '0', '1', '1', '*'].join(' ');
const lastRun = () => new Date(Date.UTC(new Date().getUTCFullYear(), 0, 1) - 1000).toISOString().replace('.000', '');

export const cronJobs: Script = {
  name: 'cronjobs',
  steps: () => [
    { args: ['create', 'cronjob', 'tick', '--image=busybox', `--schedule=${yearly}`, '--', 'date'] },
    kubectl('get cronjobs -o wide'),
    kubectl('create job now --from=cronjob/tick'),
    kubectl('wait --for=condition=complete job/now --timeout=30s'),
    kubectl('get jobs'),
    kubectl(`patch cronjob tick --subresource=status -p {"status":{"lastScheduleTime":"${lastRun()}"}}`),
    kubectl('get cronjobs,jobs'),
    kubectl('patch cronjob tick -p {"spec":{"suspend":true}}'),
    kubectl('get cronjobs'),
    kubectl('create job then --from=cronjob/tick'),
    kubectl('delete cronjob tick'),
    kubectl('get jobs,pods'),
  ],
};

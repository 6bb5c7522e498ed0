import { expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';

const template = {
  metadata: { labels: { app: 'web' } },
  spec: {
    containers: [
      { name: 'a', image: 'x:1' },
      { name: 'b', image: 'y:1' },
    ],
  },
};
const selector = { matchLabels: { app: 'web' } };

async function row(path: string, spec: object) {
  const { ask } = await openServer();
  const made = await ask('POST', path, { metadata: { name: 'web' }, spec });
  expect(made.status).toBe(201);
  const { body } = await ask('GET', `${path}/web`, undefined, {
    accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  });
  const { columnDefinitions, rows } = body as unknown as {
    columnDefinitions: { name: string }[];
    rows: { cells: unknown[] }[];
  };
  return Object.fromEntries(columnDefinitions.map(({ name }, index) => [name, rows[0]!.cells[index]]));
}

it('COMPAT-4: a Deployment in a Table', async () => {
  expect(await row('/apis/apps/v1/namespaces/default/deployments', { replicas: 3, selector, template })).toEqual({
    Name: 'web',
    Ready: '0/3',
    'Up-to-date': 0,
    Available: 0,
    Age: expect.stringMatching(/^\d+s$/),
    Containers: 'a,b',
    Images: 'x:1,y:1',
    Selector: 'app=web',
  });
});

it('COMPAT-4: a Job and a CronJob in Tables', async () => {
  expect(await row('/apis/batch/v1/namespaces/default/jobs', { completions: 2, template })).toMatchObject({
    Status: 'Running',
    Completions: '0/2',
    Duration: '',
    Selector: '<none>',
  });
  const spec = { schedule: '@daily', suspend: true, jobTemplate: { spec: { template } } };
  expect(await row('/apis/batch/v1/namespaces/default/cronjobs', spec)).toMatchObject({
    Schedule: '@daily',
    Timezone: '<none>',
    Suspend: 'True',
    Active: 0,
    'Last Schedule': '<none>',
    Containers: 'a,b',
  });
});

it('COMPAT-4: a DaemonSet in a Table', async () => {
  const spec = { selector, template: { ...template, spec: { ...template.spec, nodeSelector: { b: '2', a: '1' } } } };
  expect(await row('/apis/apps/v1/namespaces/default/daemonsets', spec)).toMatchObject({
    Desired: 0,
    'Node Selector': 'a=1,b=2',
    Selector: 'app=web',
  });
});

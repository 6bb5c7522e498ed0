import { describe, expect, it } from 'vitest';
import type { Container, PodStatus } from '../pods/pod.ts';
import { drive } from './testing/drive.ts';

const app: Container = { name: 'app', image: 'app:1' };
const stateOf = (status: PodStatus, index = 0) => status.containerStatuses![index]!;
const waitsFor = (reason: string) => (status: PodStatus) => stateOf(status).state?.waiting?.reason === reason;
const condition = (status: PodStatus, type: string) => status.conditions!.find((one) => one.type === type);
const isReady = (status: PodStatus): boolean => condition(status, 'Ready')?.status === 'True';

it('costs nothing while nothing happens', () => {
  const pod = drive({ containers: [{ ...app, livenessProbe: { httpGet: { port: 80 } } }] });
  pod.until(isReady);
  expect(pod.due).toBeUndefined();
});

describe('a container that ends', () => {
  it('is restarted at once, then held back for 10 s, 20 s, up to 5 minutes', () => {
    const pod = drive({ containers: [app] }, { 'crash-after': '2s' });
    pod.until(({ phase }) => phase === 'Running');
    pod.until((status) => stateOf(status).state?.terminated !== undefined);
    expect(stateOf(pod.status()).state?.terminated).toMatchObject({ exitCode: 1, reason: 'Error' });
    pod.until((status) => stateOf(status).restartCount === 1);
    const held = pod.until(waitsFor('CrashLoopBackOff'));
    expect(held.phase).toBe('Running');
    expect(stateOf(held)).toMatchObject({
      ready: false,
      started: false,
      restartCount: 1,
      state: { waiting: { message: 'back-off 10s restarting failed container=app pod=p_d(u)' } },
      lastState: { terminated: { exitCode: 1, reason: 'Error' } },
    });
    expect(condition(held, 'Ready')).toMatchObject({
      status: 'False',
      reason: 'ContainersNotReady',
      message: 'containers with unready status: [app]',
    });
    const back = (text: string) => (status: PodStatus) =>
      stateOf(status).state?.waiting?.message?.includes(`back-off ${text} `) ?? false;
    pod.until(back('20s'));
    pod.until(back('2m40s'));
    pod.until(back('5m0s'));
    const at = pod.seconds;
    pod.until((status) => stateOf(status).state?.running !== undefined);
    expect(pod.seconds - at).toBeCloseTo(299, 0);
    expect(pod.events).toContainEqual(
      expect.stringMatching(/ BackOff: Back-off restarting failed container app in pod p_d\(u\)$/),
    );
  });

  const once = 'if [[ -r /data/foo ]]; then exit 0; else touch /data/foo; exit 3; fi';
  const failing: Container = { ...app, command: ['sh', '-c', once] };

  it('finds what it made in a volume when it is restarted', () => {
    const volumeMounts = [{ name: 'data', mountPath: '/data' }];
    const pod = drive({
      restartPolicy: 'OnFailure',
      containers: [{ ...failing, volumeMounts }],
      volumes: [{ name: 'data' }],
    });
    const status = pod.until(({ phase }) => phase === 'Succeeded');
    expect(stateOf(status)).toMatchObject({ restartCount: 1, lastState: { terminated: { exitCode: 3 } } });
  });

  it('does not find files that it made outside volumes', () => {
    const pod = drive({ restartPolicy: 'OnFailure', containers: [failing] });
    const status = pod.until((now) => stateOf(now).restartCount === 2);
    expect(stateOf(status).lastState?.terminated).toMatchObject({ exitCode: 3 });
  });

  it('is forgiven after ten minutes', () => {
    const pod = drive({ containers: [app] }, { 'crash-after': '11m' });
    pod.until((status) => stateOf(status).restartCount === 3);
    expect(pod.events.some((event) => event.includes('BackOff'))).toBe(false);
  });

  it('shows that it ran out of memory', () => {
    const pod = drive({ containers: [app] }, { 'oom-after': '5s' });
    const status = pod.until(waitsFor('CrashLoopBackOff'));
    expect(stateOf(status).lastState?.terminated).toMatchObject({ exitCode: 137, reason: 'OOMKilled' });
  });

  it('ends its pod where it is not restarted', () => {
    const pod = drive({ containers: [{ ...app, command: ['sleep', '7'] }], restartPolicy: 'OnFailure' });
    const status = pod.until(({ phase }) => phase === 'Succeeded');
    expect(condition(status, 'Ready')).toMatchObject({ status: 'False', reason: 'PodCompleted' });
    expect(condition(status, 'PodReadyToStartContainers')).toMatchObject({ status: 'False' });
    expect(pod.due).toBeUndefined();
  });

  it('fails its pod where it is not restarted', () => {
    const pod = drive({ containers: [{ ...app, command: ['false'] }], restartPolicy: 'Never' });
    expect(
      condition(
        pod.until(({ phase }) => phase === 'Failed'),
        'Ready',
      )?.reason,
    ).toBe('PodFailed');
  });
});

describe('an image that cannot be pulled', () => {
  it('is tried again after longer and longer times', () => {
    const pod = drive({ containers: [{ name: 'app', image: 'does-not-exist:1' }] });
    const failed = pod.until(waitsFor('ErrImagePull'));
    const error = stateOf(failed).state!.waiting!.message!;
    expect(error).toMatch(
      /^rpc error: code = NotFound desc = failed to pull and unpack image "docker.io\/library\/does-not-exist:1"/,
    );
    const held = pod.until(waitsFor('ImagePullBackOff'));
    expect(stateOf(held).state?.waiting?.message).toBe(
      `Back-off pulling image "does-not-exist:1": ErrImagePull: ${error}`,
    );
    expect(held.phase).toBe('Pending');
    const texts = pod.events.map((event) => event.slice(event.indexOf(' ') + 1));
    expect(texts).toEqual([
      'Pulling: Pulling image "does-not-exist:1"',
      `Failed: Failed to pull image "does-not-exist:1": ${error}`,
      'Failed: Error: ErrImagePull',
      'BackOff: Back-off pulling image "does-not-exist:1"',
      'Failed: Error: ImagePullBackOff',
    ]);
    pod.until(waitsFor('ErrImagePull'));
    pod.pod.spec.containers[0]!.image = 'app:1';
    pod.look();
    pod.until(isReady);
  });

  it('has the error of an invalid name', () => {
    const pod = drive({ containers: [{ name: 'app', image: 'Nginx:1' }] });
    expect(stateOf(pod.until(waitsFor('InvalidImageName'))).state?.waiting?.message).toContain('must be lowercase');
    expect(pod.due).toBeUndefined();
  });
});

describe('init containers', () => {
  const first: Container = { name: 'first', image: 'app:1', command: ['sleep', '3'] };
  const second: Container = { name: 'second', image: 'app:1', command: ['sleep', '4'] };

  it('run one after the other, before the others', () => {
    const pod = drive({ initContainers: [first, second], containers: [app] });
    const running = pod.until(({ initContainerStatuses }) => initContainerStatuses![1]!.state?.running !== undefined);
    expect(running.initContainerStatuses![0]).toMatchObject({ ready: true, state: { terminated: { exitCode: 0 } } });
    expect(stateOf(running).state?.waiting?.reason).toBe('PodInitializing');
    expect(running.phase).toBe('Pending');
    expect(condition(running, 'Initialized')).toMatchObject({
      reason: 'ContainersNotInitialized',
      message: 'containers with incomplete status: [second]',
    });
    expect(pod.until(isReady).phase).toBe('Running');
    expect(pod.seconds).toBeCloseTo(7.6);
  });

  it('are restarted when they fail, or fail the pod', () => {
    const bad = { ...first, command: ['false'] };
    const pod = drive({ initContainers: [bad], containers: [app] });
    pod.until(({ initContainerStatuses }) => initContainerStatuses![0]!.state?.waiting?.reason === 'CrashLoopBackOff');
    expect(pod.status().phase).toBe('Pending');
    const never = drive({ initContainers: [bad], containers: [app], restartPolicy: 'Never' });
    expect(never.until(({ phase }) => phase === 'Failed').containerStatuses![0]!.state).toHaveProperty('waiting');
  });

  it('that are sidecars run beside the others, and end after them', () => {
    const sidecar = { name: 'proxy', image: 'app:1', restartPolicy: 'Always' };
    const pod = drive({
      initContainers: [sidecar, second],
      containers: [{ ...app, command: ['sleep', '5'] }],
      restartPolicy: 'Never',
    });
    const running = pod.until(({ phase }) => phase === 'Running');
    expect(running.initContainerStatuses![0]).toMatchObject({ ready: true, started: true, state: { running: {} } });
    const ended = pod.until(({ phase }) => phase === 'Succeeded');
    expect(ended.initContainerStatuses![0]!.state).toHaveProperty('terminated');
    expect(pod.events.at(-1)).toContain('Killing: Stopping container proxy');
  });
});

describe('probes', () => {
  const http = { httpGet: { path: '/healthz', port: 'web' }, periodSeconds: 5, failureThreshold: 2 };
  const ports = [{ name: 'web', containerPort: 8080 }];

  it('keep a container unready until it has warmed up', () => {
    const pod = drive({ containers: [{ ...app, ports, readinessProbe: http }] }, { 'warm-up': '12s' });
    const running = pod.until(({ phase }) => phase === 'Running');
    expect(stateOf(running)).toMatchObject({ ready: false, started: true });
    pod.until(isReady);
    expect(pod.seconds).toBeCloseTo(0.6 + 15.5);
    expect(pod.events.filter((event) => event.includes('Unhealthy'))).toHaveLength(3);
    expect(pod.events.at(-1)).toContain(
      'Unhealthy: Readiness probe failed: Get "http://10.0.0.5:8080/healthz": dial tcp 10.0.0.5:8080: connect: connection refused',
    );
    expect(pod.due).toBeUndefined();
  });

  it('have a container killed and restarted', () => {
    const annotations = { 'fail-probes': 'liveness', 'fail-probes-after': '20s' };
    const pod = drive({ containers: [{ ...app, ports, livenessProbe: http }] }, annotations);
    pod.until((status) => stateOf(status).restartCount === 1);
    const texts = pod.events.map((event) => event.slice(event.indexOf(' ') + 1));
    expect(texts.slice(3, 6)).toEqual([
      'Unhealthy: Liveness probe failed: HTTP probe failed with statuscode: 500',
      'Unhealthy: Liveness probe failed: HTTP probe failed with statuscode: 500',
      'Killing: Container app failed liveness probe, will be restarted',
    ]);
  });

  it('make a ready container unready, and are reported less often when people know', () => {
    const annotations = { 'fail-probes': 'readiness', 'fail-probes-after': '20s' };
    const pod = drive({ containers: [{ ...app, ports, readinessProbe: http }] }, annotations);
    pod.until(isReady);
    pod.until((status) => !isReady(status));
    pod.for(3600);
    expect(pod.events.filter((event) => event.includes('Unhealthy')).length).toBeLessThan(45);
  });

  it('look for a file that the command makes and removes, as in the documentation of Kubernetes', () => {
    const script = 'touch /tmp/healthy; sleep 30; rm -f /tmp/healthy; sleep 600';
    const livenessProbe = { exec: { command: ['cat', '/tmp/healthy'] }, initialDelaySeconds: 5, periodSeconds: 5 };
    const pod = drive({ containers: [{ ...app, args: ['/bin/sh', '-c', script], livenessProbe }] });
    pod.until((status) => stateOf(status).restartCount === 1);
    expect(pod.events.filter((event) => event.includes('Unhealthy')).map((event) => Number.parseFloat(event))).toEqual([
      30.6, 35.6, 40.6,
    ]);
    expect(pod.events).toContain(
      "30.6 Unhealthy: Liveness probe failed: cat: can't open '/tmp/healthy': No such file or directory\n",
    );
  });

  it('of the start come first', () => {
    const startup = { ...http, failureThreshold: 10 };
    const pod = drive(
      { containers: [{ ...app, ports, startupProbe: startup, readinessProbe: http }] },
      { 'warm-up': '8s' },
    );
    const running = pod.until(({ phase }) => phase === 'Running');
    expect(stateOf(running)).toMatchObject({ ready: false, started: false });
    pod.until((status) => stateOf(status).started === true);
    pod.until(isReady);
    expect(pod.events.every((event) => !event.includes('Readiness'))).toBe(true);
  });
});

describe('the end of a pod', () => {
  it('stops its containers within the grace period', () => {
    const pod = drive({ containers: [app, { name: 'slow', image: 'app:1' }] }, { 'stop-time.slow': '1m' });
    pod.until(isReady);
    Object.assign(pod.pod.metadata, { deletionTimestamp: '2026-01-01T00:01:00Z', deletionGracePeriodSeconds: 30 });
    const from = pod.seconds;
    pod.look();
    expect(isReady(pod.status())).toBe(true);
    const ended = pod.until(({ phase }) => phase === 'Failed');
    expect(pod.seconds - from).toBe(30);
    expect(ended.containerStatuses!.map(({ state }) => state?.terminated?.exitCode)).toEqual([0, 137]);
    expect(pod.events.slice(-2).map((event) => event.split(' ').slice(1).join(' '))).toEqual([
      'Killing: Stopping container app',
      'Killing: Stopping container slow',
    ]);
  });

  it('comes when its time is over', () => {
    const pod = drive({ containers: [app], activeDeadlineSeconds: 60 });
    const status = pod.until(({ phase }) => phase === 'Failed');
    expect(status).toMatchObject({
      reason: 'DeadlineExceeded',
      message: 'Pod was active on the node longer than the specified deadline',
    });
  });
});

it('restarts a container whose image has changed', () => {
  const pod = drive({ containers: [app] });
  pod.until(isReady);
  pod.pod.spec.containers[0]!.image = 'app:2';
  pod.look();
  const status = pod.until((one) => stateOf(one).restartCount === 1 && isReady(one));
  expect(stateOf(status).image).toBe('docker.io/library/app:2');
  expect(pod.events).toContainEqual(expect.stringContaining('Container app definition changed, will be restarted'));
});

it('runs ephemeral containers beside the others', () => {
  const pod = drive({ containers: [app] });
  pod.until(isReady);
  pod.pod.spec.ephemeralContainers = [{ name: 'debug', image: 'app:1', command: ['sh'], stdin: true }];
  pod.look();
  expect(pod.status().ephemeralContainerStatuses).toMatchObject([{ name: 'debug', state: { running: {} } }]);
  expect(isReady(pod.status())).toBe(true);
});

describe('an annotation that is set while the pod runs', () => {
  const probed = { ...app, readinessProbe: { tcpSocket: { port: 80 }, periodSeconds: 5, failureThreshold: 1 } };

  it('makes probes fail, and succeed again when it is removed', () => {
    const pod = drive({ containers: [probed] });
    pod.until(isReady);
    pod.pod.metadata.annotations = { 'simulator.fleet.karmada.io/fail-probes': 'readiness' };
    pod.look();
    pod.until((status) => !isReady(status));
    pod.pod.metadata.annotations = {};
    pod.look();
    pod.until(isReady);
    expect(pod.due).toBeUndefined();
  });

  it('ends what runs', () => {
    const pod = drive({ containers: [app] });
    pod.until(isReady);
    pod.pod.metadata.annotations = { 'simulator.fleet.karmada.io/oom-after': '10s' };
    pod.look();
    pod.until((status) => stateOf(status).state?.terminated?.reason === 'OOMKilled');
  });
});

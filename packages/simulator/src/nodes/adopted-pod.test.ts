import { expect, it } from 'vitest';
import type { Pod } from '../pods/pod.ts';
import { adoptedPodRecord } from './adopted-pod.ts';
import { begin, drive } from './testing/drive.ts';

const runtime = {
  millis: (seconds: number) => seconds * 1000,
  images: new Set<string>(),
  files: new Set<string>(),
  newContainerId: () => 'x',
};
const later = begin + 3_600_000;
const adopted = (pod: Pod) => adoptedPodRecord(JSON.parse(JSON.stringify(pod)), later, runtime);
const containers = [{ name: 'app', image: 'app:1' }];

it('runs on as the same instance, with its restarts and the one before', () => {
  const { pod, until, state } = drive({ containers }, { 'crash-after': '11m' });
  until(({ containerStatuses }) => containerStatuses![0]!.restartCount === 2);
  const [container] = adopted(pod).containers;
  const { id, attempt } = state.containers[0]!.current!;
  expect(container).toMatchObject({ ready: true, started: true, step: { is: 'running' }, current: { id, attempt } });
  expect(container?.previous).toMatchObject({ attempt: 1, end: { exitCode: 1, reason: 'Error' } });
});

it('is restarted if it was waiting for that', () => {
  const { pod, until } = drive({ containers }, { 'crash-after': '1s' });
  until(({ containerStatuses }) => containerStatuses![0]!.state?.waiting?.reason === 'CrashLoopBackOff');
  const [container] = adopted(pod).containers;
  expect(container).toMatchObject({ step: { is: 'exited' }, current: { attempt: 1, end: { exitCode: 1 } } });
});

it('stays ended', () => {
  const { pod, until } = drive({ containers: [{ ...containers[0]!, command: ['true'] }], restartPolicy: 'Never' });
  until(({ phase }) => phase === 'Succeeded');
  expect(adopted(pod).containers[0]).toMatchObject({ step: { is: 'ended' }, current: { end: { exitCode: 0 } } });
});

it('begins anew if nothing was reported of it', () => {
  const { pod } = drive({ containers });
  delete pod.status;
  expect(adopted(pod)).toMatchObject({ startTime: later, ip: undefined, containers: [{ step: { is: 'idle' } }] });
});

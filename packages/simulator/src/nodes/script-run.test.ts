/** A container's script is evaluated twice: for its exit code and duration, and for its log. Both must agree. */

import type { LogOptions } from '@fleet/apiserver/connect/connector.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLog } from '../logs/read-log.ts';
import type { Pod } from '../pods/pod.ts';
import { runCommand } from '../shell/run-command.ts';
import { runningPod, startedAt, TestClock, terminated } from '../testing/pods.ts';
import { TestSession } from '../testing/sessions.ts';
import { behaviourOf } from './behaviour.ts';

const env = [{ name: 'INDEX', value: '3' }];
const volumeMounts = [{ name: 'data', mountPath: '/data' }];

const podOf = (command: string[], image = 'busybox:1.37') =>
  runningPod({ image, command, env, volumeMounts }, { state: terminated(0, 'Completed') });

const lifeOf = (pod: Pod) =>
  behaviourOf(pod.spec.containers[0]!, 'main', { ...pod, spec: { ...pod.spec, restartPolicy: 'Never' } });

/** All waiting is skipped. */
async function shellCode(pod: Pod): Promise<number> {
  const [container] = pod.spec.containers;
  const instance = { id: 'containerd://1', attempt: 0, startedAt: Date.parse(startedAt) };
  const onError = (error: unknown) => {
    throw error;
  };
  const process = {
    pod,
    container: container!,
    instance,
    clock: new TestClock(startedAt),
    isOwnCommand: true,
    onError,
  };
  return runCommand(process, new TestSession().session(container!.command!));
}

const all: LogOptions = { container: 'app', follow: false, previous: false, timestamps: false, stream: 'All' };

async function logOf(pod: Pod): Promise<string> {
  const reader = { clock: new TestClock('2026-11-17T12:10:00Z'), seed: 1, nodes: () => undefined };
  const chunks = await Array.fromAsync(await readLog(pod, all, new AbortController().signal, reader));
  return Buffer.concat(chunks).toString();
}

describe('the code that a container ends with is that of its shell, and its log is what it writes', () => {
  it.each<[script: string, code: number, log: string]>([
    ['echo a; exit 3', 3, 'a\n'],
    ['set -e; if true; then false && true; fi; echo on', 0, 'on\n'],
    ['if false; then true; else echo $?; exit; fi', 0, '1\n'],
    ['if [ -f /tmp/x ]; then echo there; exit 1; else echo none; fi', 0, 'none\n'],
    ['touch /tmp/healthy && echo ok; sleep 3; rm /tmp/healthy', 0, 'ok\n'],
    ['touch /tmp/a; sleep 1; rm /tmp/a; rm /tmp/a', 1, "rm: can't remove '/tmp/a': No such file or directory\n"],
    ['if [ $(expr $INDEX % 2) -ne 0 ]; then echo odd; exit 1; fi; echo even', 1, 'odd\n'],
    ['echo 5 > /tmp/n; X=$(cat /tmp/n); if [[ $X -gt 4 ]]; then echo "more: $X"; exit $X; fi', 5, 'more: 5\n'],
    ['echo "a && exit 4; b"; echo \'if then\'', 0, 'a && exit 4; b\nif then\n'],
    ['echo "exit 7" # exit 8', 0, 'exit 7\n'],
    ['mkdir /tmp/d && cd /tmp/d && echo x >f; [ -s /tmp/d/f ] && exit 6', 6, ''],
    ['cd /none || exit 9; echo there', 9, "cd: can't cd to /none: No such file or directory\n"],
    ['false; echo $?; false || exit $?', 1, '1\n'],
    ['set -e; false || echo b; if false; then :; fi; false; echo no', 1, 'b\n'],
    ['set -e; if true; then false; echo on; fi || exit 4; exit 5', 5, 'on\n'],
    ['sh -c "echo inner; exit 4"; exit $?', 4, 'inner\n'],
    ['export A=1; B=2; sh -c \'[ "$A$B" = 1 ]\'; exit $?', 0, ''],
    ['INDEX=4; A=1 sh -c \'echo $INDEX $A\'; [ -z "$A" ]', 0, '4 1\n'],
    ['echo b >/tmp/a; echo "$(cat /tmp/a)" >/tmp/a; [ "$(cat /tmp/a)" = b ] && exit 8', 8, ''],
    ['X=$(exit 5); echo $?; exec sh -c "exit 2"; echo no', 2, '5\n'],
    ['if true; then echo a', 2, 'sh: syntax error: unexpected end of file\n'],
    // Contents of images and volumes are unknown: the command succeeds, and writes nothing.
    ['wget -q http://web && echo got', 0, 'got\n'],
    ['cat /data/config && echo read; [ -f /data/config ] || exit 3', 3, 'read\n'],
    ['cat /none || exit 3', 3, 'cat: /none: No such file or directory\n'],
  ])('%s', async (script, code, log) => {
    const pod = podOf(['sh', '-c', script]);
    expect(lifeOf(pod).run).toMatchObject({ exitCode: code });
    expect(await shellCode(pod)).toBe(code);
    expect(await logOf(pod)).toBe(log);
  });

  it.each([
    [['cat', '/none'], 1],
    [['sleep', '-1'], 1],
    [['sh', '-ec', 'false; true'], 1],
    [['sh', '-euo', 'pipefail', '-c', 'false; true'], 1],
    [['sh', '-c', 'exit $1', 'name', '4'], 4],
  ])('%j', async (command, code) => {
    expect(lifeOf(podOf(command)).run).toMatchObject({ exitCode: code });
    expect(await shellCode(podOf(command))).toBe(code);
  });

  const simple = fc.constantFrom(
    ...[
      'true',
      'false',
      '! true',
      'exit 3',
      'exit',
      'X=1',
      'X=$(false)',
      'X=$(echo /tmp/b)',
      'touch /tmp/a',
      'rm /tmp/a',
    ],
    ...[
      'rm -rf /tmp/d',
      'mkdir /tmp/d',
      'mkdir -p /tmp/d/e',
      'cd /tmp/d',
      'touch a',
      'echo x >/tmp/b',
      'echo >>/tmp/d',
    ],
    ...['[ -f /tmp/a ]', '[ -s /tmp/b ]', '[[ -d /tmp/d ]]', '[ $X = 1 ]', '[[ $X == 1 ]]', '[ "$X" ]', '[ $? -eq 0 ]'],
    ...[
      'cat /tmp/a',
      'cat <$X',
      'ls a',
      'cp /tmp/a /tmp/d',
      'mv $X /tmp/a',
      'test -e a',
      'set -e',
      'set +e',
      'sleep 2',
    ],
    ...[
      'sh -c "exit 2"',
      'exec false',
      'expr 1 - 1',
      'unset X',
      'export X=/tmp/a',
      'sh -c "[ -f $X ]"',
      'other x',
      "sh -c '[ $X ]'",
      "X=a sh -c '[ $X ]'",
      'cd',
    ],
  );
  const joined = fc.array(fc.tuple(simple, fc.constantFrom(';', '&&', '||', '\n')), { minLength: 1, maxLength: 6 });
  const list = joined.map((parts) =>
    parts.map(([one, by], at) => one + (at < parts.length - 1 ? ` ${by} ` : '')).join(''),
  );
  const conditional = fc
    .tuple(list, list, fc.option(list), fc.option(list))
    .map(
      ([a, b, c, d]) =>
        `if ${a}; then ${b};${c === null ? '' : ` elif ${c}; then ${b};`}${d === null ? '' : ` else ${d};`} fi`,
    );
  const scripts = fc
    .array(fc.oneof(list, conditional), { minLength: 1, maxLength: 5 })
    .map((parts) => parts.join('; '));

  it('whatever the script is', async () => {
    const agree = fc.asyncProperty(scripts, async (script) => {
      const pod = podOf(['sh', '-c', script]);
      expect(lifeOf(pod).run.exitCode).toBe(await shellCode(pod));
    });
    await fc.assert(agree, { seed: 1, numRuns: 300 });
  });

  it('however often exec is repeated', async () => {
    const pod = podOf(['sh', '-c', `${'exec '.repeat(10_000)}false`]);
    expect(lifeOf(pod).run.exitCode).toBe(1);
    expect(await shellCode(pod)).toBe(1);
  });

  it('has a limit of commands', async () => {
    const pod = podOf(['sh', '-c', 'true;'.repeat(10_001)]);
    expect(lifeOf(pod).run.exitCode).toBe(1);
    expect(await shellCode(pod)).toBe(1);
  });
});

describe('files of scripts', () => {
  const filesOf = (script: string) => lifeOf(podOf(['sh', '-c', script])).files;

  it('are those that it makes and removes, in the order of time', () => {
    expect(filesOf('F=/tmp/ready; sleep 5; touch $F; sleep 30 && cd /tmp && rm ready; [ -f $F ] || exit 1')).toEqual([
      { path: '/tmp/ready', exists: true, seconds: 5 },
      { path: '/tmp/ready', exists: false, seconds: 35 },
    ]);
    expect(filesOf('echo "touch /tmp/a"; false && touch /tmp/b; echo >/tmp/c')).toEqual([
      { path: '/tmp/c', exists: true, seconds: 0 },
    ]);
    expect(filesOf('touch /tmp/a; sleep 2; rm /tmp/a; while true; do sleep 1; done')).toHaveLength(2);
  });
});

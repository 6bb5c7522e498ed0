import { describe, expect, it } from 'vitest';
import { annotationPrefix, behaviourOf } from './behaviour.ts';
import { commandRun } from './command-run.ts';

const annotated = (annotations: Record<string, string>, restartPolicy: 'Always' | 'Never' = 'Always') => ({
  metadata: {
    annotations: Object.fromEntries(
      Object.entries(annotations).map(([name, value]) => [`${annotationPrefix}${name}`, value]),
    ),
  },
  spec: { restartPolicy },
});

describe('what a command does', () => {
  it.each([
    [['sleep', '30'], 30, 0],
    [['sleep', '1m', '5'], 65, 0],
    [['/bin/true'], 0.5, 0],
    [['false'], 0.5, 1],
    [['sh', '-c', 'exit 3'], 0.5, 3],
    [['/bin/sh', '-ec', 'echo "hi"; sleep 5 && exit 7'], 5.5, 7],
    [['sh', '-c', 'false || exit 4'], 0.5, 4],
    [['sh', '-c', 'false && sleep 100'], 0.5, 1],
    [['bash', '-c', 'exec sleep 9'], 9, 0],
    [['sh'], 0.5, 0],
  ])('%j takes %d seconds and ends with %d', (command, seconds, exitCode) => {
    expect(commandRun(command, false)).toMatchObject({ seconds, exitCode });
  });

  it.each([
    [['sleep', 'infinity']],
    [['tail', '-f', '/dev/null']],
    [['sh', '-c', 'while true; do date; sleep 1; done']],
    [['sh', '-c', 'echo begun; sleep inf']],
  ])('%j runs until it is stopped', (command) => {
    expect(commandRun(command, false)).toMatchObject({ seconds: undefined });
  });

  it('is unknown of other programs', () => {
    expect(commandRun(['nginx', '-g', 'daemon off;'], false)).toBeUndefined();
    expect(commandRun([], false)).toBeUndefined();
  });
});

describe('what a container does', () => {
  it('is to run until it is stopped, the same for all', () => {
    const one = behaviourOf({ name: 'a' }, 'main', { metadata: {}, spec: {} });
    expect(one).toBe(behaviourOf({ name: 'b' }, 'main', { metadata: { annotations: { other: 'x' } }, spec: {} }));
    expect(one.run.seconds).toBeUndefined();
  });

  it('follows annotations, for all main containers or for one', () => {
    const pod = annotated({ 'crash-after': '3s', 'exit-code.b': '42', 'run-for.i': '9s', 'log-rate': '2.5' });
    expect(behaviourOf({ name: 'a' }, 'main', pod)).toMatchObject({ run: { seconds: 3, exitCode: 1 }, logRate: 2.5 });
    expect(behaviourOf({ name: 'b' }, 'main', pod).run).toMatchObject({ seconds: 3, exitCode: 42 });
    expect(behaviourOf({ name: 'i' }, 'init', pod)).toMatchObject({ run: { seconds: 9 }, logRate: undefined });
  });

  it('is not changed by what is no duration', () => {
    expect(
      behaviourOf({ name: 'a' }, 'main', annotated({ 'crash-after': 'soon', 'oom-after': '-1s' })).run.seconds,
    ).toBe(undefined);
  });

  it('ends by itself where a program is named in a pod that is not restarted', () => {
    const job = annotated({}, 'Never');
    expect(behaviourOf({ name: 'a', command: ['perl', '-e', '1'] }, 'main', job).run).toMatchObject({ seconds: 2 });
    expect(behaviourOf({ name: 'a', image: 'nginx' }, 'main', job).run.seconds).toBeUndefined();
    expect(behaviourOf({ name: 'a', image: 'x' }, 'init', job).run).toMatchObject({ seconds: 1, exitCode: 0 });
  });
});

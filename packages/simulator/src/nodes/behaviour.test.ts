import { describe, expect, it } from 'vitest';
import type { Pod } from '../pods/pod.ts';
import { annotationPrefix, behaviourOf } from './behaviour.ts';
import { commandRun, fileChanges } from './command-run.ts';

const plain: Pod = { metadata: { name: 'p' }, spec: { containers: [] } };

const annotated = (annotations: Record<string, string>, restartPolicy: 'Always' | 'Never' = 'Always'): Pod => ({
  metadata: {
    name: 'p',
    annotations: Object.fromEntries(
      Object.entries(annotations).map(([name, value]) => [`${annotationPrefix}${name}`, value]),
    ),
  },
  spec: { containers: [], restartPolicy },
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

  const oddFails = `
    if [ $(expr \${INDEX} % 2) -ne 0 ]; then
      exit 1
    else
      sleep 4
    fi
  `;
  const once = 'if [[ -r /data/foo ]]\nthen exit 0\nelse\n touch /data/foo\n exit 42\nfi';

  it.each([
    ['0', 4, 0],
    ['3', 0.5, 1],
  ])('follows conditions on variables: %s', (index, seconds, exitCode) => {
    const world = { lookup: (name: string) => (name === 'INDEX' ? index : undefined), files: new Set<string>() };
    expect(commandRun(['sh', '-c', oddFails], false, world)).toMatchObject({ seconds, exitCode });
  });

  it('follows conditions on files that it made before', () => {
    const world = { lookup: () => undefined, files: new Set<string>() };
    expect(commandRun(['sh', '-c', once], false, world)).toMatchObject({ exitCode: 42 });
    expect(commandRun(['sh', '-c', once], false, world)).toMatchObject({ exitCode: 0 });
  });

  it.each([
    ['if false; then exit 1; elif ! false; then exit 2; else exit 3; fi', 2],
    ['X=5; if [ $X -gt 4 ] && test -n "$X"; then exit $X; fi; exit 1', 5],
    ['if true; then if false; then exit 1; fi; fi; exit 9', 9],
    ['if [ -f /none ]; then exit 1; fi', 0],
    ['echo x > /tmp/y; if [ -e /tmp/y ]; then exit 6; fi', 6],
  ])('%s ends with %d', (script, exitCode) => {
    expect(commandRun(['sh', '-c', script], false)).toMatchObject({ exitCode });
  });

  it('goes by the words alone where a script has more in it than can be followed', () => {
    const script = 'if [ $(curl -s http://a) = x ]\nthen\nexit 3\nfi';
    expect(commandRun(['sh', '-c', script], false)).toMatchObject({ exitCode: 3 });
    expect(commandRun(['sh', '-c', 'if true; then while true; do sleep 1; done; fi'], false)).toMatchObject({
      seconds: undefined,
    });
  });

  it('is not started with an argument that is longer than Linux takes it', () => {
    const long = `sleep 1; touch /tmp/x; while true; do sleep 1; done #${'x'.repeat(128 * 1024)}`;
    for (const command of [
      ['sh', '-c', long],
      ['nginx', long],
    ]) {
      expect(commandRun(command, false)).toEqual({ seconds: 0, exitCode: 128, reason: 'StartError' });
      expect(fileChanges(command)).toEqual([]);
    }
  });

  it('is unknown of other programs', () => {
    expect(commandRun(['nginx', '-g', 'daemon off;'], false)).toBeUndefined();
    expect(commandRun([], false)).toBeUndefined();
  });
});

describe('what a container does', () => {
  it.each([
    ['web:does-not-exist', true],
    ['foo:non-existent', true],
    ['webserver:404', true],
    ['webserver:4040', false],
  ])('has an image that cannot be pulled: %s, %s', (image, pullFails) => {
    expect(behaviourOf({ name: 'a', image }, 'main', plain).pullFails).toBe(pullFails);
  });

  it('is to run until it is stopped, the same for all', () => {
    const one = behaviourOf({ name: 'a' }, 'main', plain);
    expect(one).toBe(
      behaviourOf({ name: 'b' }, 'main', { ...plain, metadata: { name: 'p', annotations: { other: 'x' } } }),
    );
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

  it('is a shell without input, which ends, where the image has nothing else', () => {
    const of = (container: object) => behaviourOf({ name: 'a', ...container }, 'main', plain).run;
    expect(of({ image: 'registry.k8s.io/e2e-test-images/busybox:1.37' })).toMatchObject({ seconds: 0.5, exitCode: 0 });
    expect(of({ image: 'busybox', stdin: true }).seconds).toBeUndefined();
    expect(of({ image: 'nginx' }).seconds).toBeUndefined();
  });

  it('may depend on its own labels and annotations', () => {
    const script = 'if [ "$SHARD-$TIER" = "3-gold" ]; then exit 7; fi';
    const field = (fieldPath: string) => ({ valueFrom: { fieldRef: { fieldPath } } });
    const env = [
      { name: 'SHARD', ...field("metadata.labels['example.com/shard']") },
      { name: 'TIER', ...field("metadata.annotations['tier']") },
    ];
    const metadata = { name: 'p', labels: { 'example.com/shard': '3' }, annotations: { tier: 'gold' } };
    const container = { name: 'a', command: ['sh', '-c', script], env };
    expect(behaviourOf(container, 'main', { ...plain, metadata }).run).toMatchObject({ exitCode: 7 });
  });

  it('ends by itself where a program is named in a pod that is not restarted', () => {
    const job = annotated({}, 'Never');
    expect(behaviourOf({ name: 'a', command: ['perl', '-e', '1'] }, 'main', job).run).toMatchObject({ seconds: 2 });
    expect(behaviourOf({ name: 'a', image: 'nginx' }, 'main', job).run.seconds).toBeUndefined();
    expect(behaviourOf({ name: 'a', image: 'x' }, 'init', job).run).toMatchObject({ seconds: 1, exitCode: 0 });
  });
});

import { expect, test } from 'vitest';
import { kernelVersion } from '../nodes/node.ts';
import type { Container } from '../pods/pod.ts';
import { runningPod, startedAt, TestClock } from '../testing/pods.ts';
import { TestSession } from '../testing/sessions.ts';
import { runCommand } from './run-command.ts';

const processOf = (container: Partial<Container> = {}) => {
  const pod = runningPod(container);
  return {
    pod,
    container: pod.spec.containers[0]!,
    instance: { id: 'containerd://1', attempt: 0, startedAt: Date.parse(startedAt) },
    clock: new TestClock('2026-11-17T12:10:00Z'),
    onError(error: unknown) {
      throw error;
    },
  };
};

interface Asked {
  stdin?: string;
  container?: Partial<Container>;
}

async function exec(command: string[], { stdin, container }: Asked = {}) {
  const client = new TestSession();
  if (stdin !== undefined) client.type(stdin);
  client.stdin.close();
  const input = stdin === undefined ? {} : { stdin: client.stdin };
  const code = await runCommand(processOf(container), client.session(command, input));
  return { code, out: client.out, error: client.error };
}

const sh = (script: string, asked?: Asked) => exec(['sh', '-c', script], asked);

test.each([
  ['echo a; echo b', 'a\nb\n'],
  ['true && echo yes || echo no', 'yes\n'],
  ['false && echo yes || echo no', 'no\n'],
  ['false; echo $?', '1\n'],
  ['! true; echo $?', '1\n'],
  [`X=1; echo $X \${X}2 "$X" '$X' \\$X`, '1 12 1 $X $X\n'],
  ['X="a  b"; echo $X; echo "$X"', 'a b\na  b\n'],
  ['X=1 printenv X; echo "[$X]"', '1\n[]\n'],
  ['export X=7; sh -c "echo \\$X"', '7\n'],
  [`echo \${X:-none} "\${HOME:-none}"`, 'none /root\n'],
  ['echo a >/dev/null; echo b 2>&1; echo c >&2 2>/dev/null', 'b\n'],
  ['echo "a;b" \'c&&d\' # comment', 'a;b c&&d\n'],
  ['cat /etc/hostname; hostname; whoami; id -u', 'web-1\nweb-1\nroot\n0\n'],
  ['cd /etc && pwd && cat hostname && cd .. && pwd', '/etc\nweb-1\n/\n'],
  ['test -f /etc/hosts && [ 3 -gt 2 ] && [ a != b ] && [ -d /etc ] && echo all', 'all\n'],
  ['[ -z "$X" ] && [ ! -e /nothing ] && echo empty', 'empty\n'],
  ['date; date +%Y-%m-%dT%H:%M:%S', 'Tue Nov 17 12:10:00 UTC 2026\n2026-11-17T12:10:00\n'],
  ['sleep 5; date +%T', '12:10:05\n'],
  ['printf "%s=%d\\n" a 1 b 2', 'a=1\nb=2\n'],
  ['echo -n a; echo -e "b\\tc"', 'ab\tc\n'],
  [
    'head -n 1 /etc/resolv.conf; tail -1 /etc/resolv.conf; wc -l /etc/resolv.conf',
    'search default.svc.cluster.local svc.cluster.local cluster.local\noptions ndots:5\n3 /etc/resolv.conf\n',
  ],
  ['uname; uname -n; ls /var/run/secrets/kubernetes.io/serviceaccount', 'Linux\nweb-1\nnamespace\n'],
  ['uname -r', `${kernelVersion}\n`],
  ['cat /proc/version', `Linux version ${kernelVersion} (simulated)\n`],
  ['printf $(hostname)', 'web-1'],
  ['X=$(echo a; echo "b )"); echo "$X" $X', 'a\nb ) a b )\n'],
  ['X=$(false); echo $? $(echo $(echo ")"))', '1 )\n'],
  ['Y=1; echo "$(Y=2; cd /etc; echo $Y)" $Y $(pwd)', '2 1 /\n'],
  ['echo $0 $1 $#', 'sh 0\n'],
  ['echo a >$(echo /dev/null); echo b', 'b\n'],
])('%s', async (script, out) => {
  expect(await sh(script)).toMatchObject({ out });
});

test('exit codes are those of the last command, or of exit', async () => {
  expect((await sh('true')).code).toBe(0);
  expect((await sh('echo a; exit 3; echo b')).code).toBe(3);
  expect((await exec(['false'])).code).toBe(1);
  expect((await exec(['sh', '-ec', 'false; echo not reached'])).code).toBe(1);
  expect(await exec(['sh', '-c', 'echo $0 $2', 'name', 'a', 'b'])).toMatchObject({ out: 'name b\n' });
});

test('an unknown command has the error of sh', async () => {
  expect(await sh('nothing-there; echo $?')).toEqual({
    code: 0,
    out: '127\n',
    error: 'sh: nothing-there: not found\n',
  });
  expect(await sh('/etc')).toMatchObject({ code: 126, error: 'sh: /etc: Permission denied\n' });
});

test('an unknown program without a shell fails with the error of a container runtime', async () => {
  await expect(exec(['nothing-there'])).rejects.toMatchObject({
    code: 500,
    message: expect.stringMatching(
      /^Internal error occurred: error executing command in container: failed to exec in container: failed to start exec "[0-9a-f]{64}": OCI runtime exec failed: exec failed: unable to start container process: exec: "nothing-there": executable file not found in \$PATH$/,
    ),
  });
  await expect(exec(['/opt/app'])).rejects.toThrow('exec: "/opt/app": stat /opt/app: no such file or directory');
  await expect(exec(['bash'], { container: { image: 'nginx:alpine' } })).rejects.toThrow('"bash": executable file');
  await expect(exec(['sh'], { container: { image: 'registry.k8s.io/pause:3.10' } })).rejects.toThrow('"sh"');
  await expect(exec(['cd', '/'])).rejects.toThrow('"cd": executable file not found');
});

test.each([
  ['ls | wc -l', 'sh: pipes are not supported by the shell of simulated pods\n'],
  ['sleep 1 &', 'sh: background jobs are not supported by the shell of simulated pods\n'],
  ['echo `date`', 'sh: command substitution with backquotes is not supported by the shell of simulated pods\n'],
  ['while true; do date; done', 'sh: "while" is not supported by the shell of simulated pods\n'],
  ['echo "a', 'sh: syntax error: unterminated quoted string\n'],
  ['a &&', 'sh: syntax error: unexpected end of file\n'],
  ['&& a', 'sh: syntax error: unexpected "&&"\n'],
])('%s is refused before anything is run', async (script, error) => {
  expect(await sh(script)).toEqual({ code: 2, out: '', error });
});

test.each([
  ['if true; then echo a; fi', 'a\n', 0],
  ['if false; then echo a; elif ! false; then echo b; else echo c; fi', 'b\n', 0],
  ['if false\nthen\n  echo a\nelse\n  echo b; exit 4\nfi\necho c', 'b\n', 4],
  ['if false; then echo a; fi; echo $?', '0\n', 0],
  ['if true; then if false; then echo a; else echo b; fi fi', 'b\n', 0],
  ['if [ -f /etc/hosts ] && [ -d /tmp ]; then echo both; fi >&2; echo if then fi', 'if then fi\n', 0],
  ['! if true; then false; fi && echo negated', 'negated\n', 0],
  ['X="a b"; if [[ $X == "a b" ]]; then echo same; fi; [[ -z $Y ]] && echo empty', 'same\nempty\n', 0],
  ['if [ $(expr 7 % 2) -ne 0 ]; then echo odd; fi', 'odd\n', 0],
  ['set -e; false || true; if false; then true; fi; ! true; echo here; false; echo not reached', 'here\n', 1],
  ['exec echo last; echo not reached', 'last\n', 0],
])('%s', async (script, out, code) => {
  expect(await sh(script)).toMatchObject({ out, code });
});

test.each([
  ['if true; then echo a', 'unexpected end of file'],
  ['if true; echo a; fi', 'unexpected "fi"'],
  ['if true; then fi', 'unexpected "fi"'],
  ['if true; then a; fi b', 'unexpected "b"'],
  ['fi', 'unexpected "fi"'],
  ['if true && then a; fi', 'unexpected "then"'],
])('%s is no condition', async (script, why) => {
  expect(await sh(script)).toEqual({ code: 2, out: '', error: `sh: syntax error: ${why}\n` });
});

test('conditions may go on over lines of the input', async () => {
  const stdin = 'if true\nthen\n echo a\nfi\necho b\n';
  expect(await exec(['sh'], { stdin })).toEqual({ code: 0, out: 'a\nb\n', error: '' });
});

test.each([
  ['[[ a == a && b == b ]]', 'more than one comparison in "[[" is'],
  ['[[ abc == a* ]]', 'a pattern in "[[" is'],
  [`${'if true; then '.repeat(21)}true;${' fi;'.repeat(21)}`, 'so deep a condition is'],
])('%s is not supported', async (script, what) => {
  expect(await sh(script)).toEqual({
    code: 2,
    out: '',
    error: `sh: ${what} not supported by the shell of simulated pods\n`,
  });
});

test.each([
  ['echo a > /tmp/a; echo b >>/tmp/a; cat /tmp/a; wc -l < /tmp/a; ls /tmp', 'a\nb\n2\na\n'],
  ['touch /tmp/x && echo ok; rm /tmp/x; [ -e /tmp/x ] || echo gone', 'ok\ngone\n'],
  ['mkdir -p /tmp/d/e; cd /tmp/d/e && echo x >f && cat /tmp/d/e/f; rm -r /tmp/d; ls /tmp', 'x\n'],
  [
    'echo more >> /etc/hostname; cat /etc/hostname; rm /etc/hosts; cat /etc/hosts 2>/dev/null || echo none',
    'web-1\nmore\nnone\n',
  ],
  ['echo a >/tmp/a; cp /tmp/a /tmp/b; mv /tmp/b /root; cat /root/b; ls /tmp', 'a\na\n'],
  ['echo a >/tmp/a; sh -c "cat /tmp/a"; echo "$(cat /tmp/a)$(touch /tmp/b)"; [ -f /tmp/b ] && echo b', 'a\na\nb\n'],
  ['echo a &>/tmp/a; cat /none 2>>/tmp/a; cat /tmp/a', 'a\ncat: /none: No such file or directory\n'],
  ['if true; then echo a; echo b; fi >/tmp/a; cat /tmp/a', 'a\nb\n'],
  ['touch /tmp/a; [ -s /tmp/a ] || echo empty; echo 1 >/tmp/a; [ -s /tmp/a ] && echo filled', 'empty\nfilled\n'],
])('files can be written: %s', async (script, out) => {
  expect(await sh(script)).toMatchObject({ out });
});

test.each([
  ['echo a > /tmp', "sh: can't create /tmp: Is a directory\n"],
  ['echo a > /etc/hosts/a', "sh: can't create /etc/hosts/a: Not a directory\n"],
  ['cat < /none', "sh: can't open /none: No such file or directory\n"],
  ['rm /none', "rm: can't remove '/none': No such file or directory\n"],
  ['rm /tmp', "rm: '/tmp' is a directory\n"],
  ['rm -rf /', "rm: can't remove '/': Device or resource busy\n"],
  ['mkdir /tmp', "mkdir: can't create directory '/tmp': File exists\n"],
  ['mv /none /tmp', "mv: can't rename '/none': No such file or directory\n"],
  ['touch', 'touch: missing operand\n'],
])('failed writes are errors: %s', async (script, error) => {
  expect(await sh(script)).toEqual({ code: 1, out: '', error });
});

test('files are those of one session', async () => {
  expect(await sh('echo a >/tmp/a')).toMatchObject({ code: 0 });
  expect(await sh('cat /tmp/a')).toMatchObject({ code: 1 });
});

test('what is written is bounded, in number and in bytes', async () => {
  const many = Array.from({ length: 300 }, (_, at) => `/tmp/${at}`).join(' ');
  const touched = await sh(`touch ${many}; ls /tmp`);
  expect(touched.error).toContain('touch: /tmp/299: No space left on device\n');
  expect(touched.out.split('\n')).toHaveLength(201);
  const grown = await sh(`${doubled('F', 'x', 15)}${'echo $F >>/tmp/a;'.repeat(9)}wc -c /tmp/a`);
  expect(grown.error).toContain('sh: write error: No space left on device\n');
  expect(Number(grown.out.split(' ')[0])).toBeLessThanOrEqual(256 * 1024);
  // Removing a file frees space.
  expect(await sh(`${doubled('F', 'x', 15)}${'echo $F >/tmp/a; rm /tmp/a;'.repeat(20)}`)).toMatchObject({ error: '' });
  const deep = await sh(`touch ${'/a'.repeat(1_000)}; touch ${'/a'.repeat(30_000)}; touch /tmp/a && echo ok`);
  expect(deep).toMatchObject({
    out: 'ok\n',
    error: expect.stringMatching(/^touch: [/a]+: No space left on device\ntouch: [/a]+: File name too long\n$/),
  });
});

test('stdin goes to a program, or is a script', async () => {
  expect(await exec(['cat'], { stdin: 'a\nb\n' })).toMatchObject({ code: 0, out: 'a\nb\n' });
  expect(await exec(['sh'], { stdin: 'echo "a\nb"\ncat /nothing\nexit 4\necho c\n' })).toEqual({
    code: 4,
    out: 'a\nb\n',
    error: 'cat: /nothing: No such file or directory\n',
  });
  expect(await exec(['sh'], { stdin: 'cat\nleft for cat\n' })).toMatchObject({ out: 'left for cat\n' });
});

test('the environment is that of the container', async () => {
  const env = [
    { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    { name: 'GREETING', value: 'hello $(POD)' },
  ];
  expect(await sh('echo $GREETING', { container: { env } })).toMatchObject({ out: 'hello web-1\n' });
  const { out } = await exec(['env'], { container: { env } });
  expect(out).toContain('POD=web-1\n');
  expect(out).toContain('KUBERNETES_SERVICE_HOST=10.96.0.1\n');
  expect(
    Object.keys(process.env).filter((name) => name !== 'PATH' && name !== 'HOME' && out.includes(`${name}=`)),
  ).toEqual([]);
});

test('what a script can make grow is bounded', async () => {
  const doubled = await sh(`X=0123456789abcdef; ${'X=$X$X; '.repeat(40)} echo done`);
  expect(doubled.error).toContain('sh: argument list too long\n');
  const nested = await sh(`export X='sh -c "$X"; sh -c "$X"'; sh -c "$X"`);
  expect(nested.error).toContain('too many nested shells');
  const deep = await sh(`X='echo $(sh -c "$X")'; export X; sh -c "$X"`);
  expect(deep.error).toContain('too many nested shells');
  const many = await sh('true;'.repeat(10_001));
  expect(many.error).toBe('sh: too many commands\n');
});

/** A variable whose text is doubled, `times` times. */
const doubled = (name: string, text: string, times: number, between = '') =>
  `${name}=${text};${`${name}="$${name}${between}$${name}";`.repeat(times)}`;

test.each([
  ['printf', `${doubled('A', 'a', 13, ' ')}${doubled('F', 'x', 15)}printf "$F%s" $A`, 'printf: output too long\n'],
  ['printenv', `${doubled('F', 'x', 15)}export F; printenv ${'F '.repeat(20_000)}`, 'printenv: output too long\n'],
  [
    'variables of a command',
    `${doubled('F', 'x', 15)}${Array.from({ length: 3_000 }, (_, at) => `a${at}=$F`).join(' ')} env`,
    'sh: out of memory\n',
  ],
  ['one word', `${doubled('F', 'x', 16)}echo ${'$F'.repeat(20_000)}`, 'sh: argument list too long\n'],
  ['words of [[', `${doubled('F', 'x', 15)}set -x; [[ ${'$F '.repeat(20_000)}]]`, 'sh: argument list too long\n'],
  ['outputs', `${doubled('F', 'x', 14)}echo ${'$(echo $F)'.repeat(9)}`, 'sh: output too long\n'],
])('what a command writes and reads is bounded: %s', async (_what, script, error) => {
  const result = await sh(script);
  expect(result.error).toBe(error);
  expect(result.code).not.toBe(0);
  expect(result.out.length).toBeLessThanOrEqual(1024 * 1024);
});

test('output is written in pieces', async () => {
  const sizes: number[] = [];
  const client = new TestSession();
  const stdout = async (chunk: Uint8Array) => void sizes.push(chunk.length);
  const script = `${doubled('F', 'x', 14)}printf "%s$F" a b c; A=$F B=$F C=$F env; export A=$F B=$F; export`;
  expect(await runCommand(processOf(), client.session(['sh', '-c', script], { stdout }))).toBe(0);
  expect(sizes.length).toBeGreaterThan(6);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(16 * 1024);
  const signs = `a${'😀'.repeat(9_000)}`;
  expect((await sh(`printf '%s' ${signs}`)).out).toBe(signs);
});

test('exported names are bounded, also those without values', async () => {
  const names = (from: number) => Array.from({ length: 900 }, (_, at) => `a${from + at}`).join(' ');
  const { error, out } = await sh(
    `export ${names(0)}; export ${names(900)}; echo $?; unset ${names(0)}; export z; echo $?`,
  );
  expect(error).toBe('sh: out of memory\n');
  expect(out).toBe('2\n0\n');
  // Sent as lines of the input, as an argument cannot be that long.
  const lines = (line: (at: number) => string) => ({
    stdin: Array.from({ length: 40 }, (_, at) => line(at)).join('\n'),
  });
  const long = await exec(
    ['sh'],
    lines((at) => `export ${'n'.repeat(32_000)}${at}`),
  );
  expect(long.error).toContain('sh: out of memory\n');
  const assigned = await exec(
    ['sh'],
    lines((at) => `${'n'.repeat(32_000)}${at}=`),
  );
  expect(assigned.error).toContain('sh: out of memory\n');
});

test('a container can have more variables than a script can make', async () => {
  const env = Array.from({ length: 3_000 }, (_, at) => ({ name: `V${at}`, value: 'v'.repeat(500) }));
  expect(await sh('X=1; echo $X; sh -c "exit 7"; echo $? $(echo $X)', { container: { env } })).toEqual({
    code: 0,
    out: '1\n7 1\n',
    error: '',
  });
  expect((await exec(['env'], { container: { env } })).out).toContain(`V2999=${'v'.repeat(500)}\n`);
});

test('references of variables to others do not make them grow without end', async () => {
  const env = Array.from({ length: 60 }, (_, at) => ({
    name: `V${at}`,
    value: at === 0 ? 'ab' : `$(V${at - 1})`.repeat(2),
  }));
  const { code, out } = await exec(['printenv', 'V2', 'V59'], { container: { env } });
  expect(code).toBe(0);
  expect(out).toMatch(/^(?:ab){4}\n/);
  expect(out.length).toBeLessThan(1024 * 1024);
});

test('a script whose lines go on is bounded by its size', async () => {
  const line = `${'a'.repeat(30_000)}\n`;
  expect(await exec(['sh'], { stdin: `echo "\n${line}"\n` })).toMatchObject({ code: 0 });
  expect(await exec(['sh'], { stdin: `echo "\n${line.repeat(3)}"\n` })).toMatchObject({
    code: 2,
    out: '',
    error: 'sh: command too long\n',
  });
  expect(await exec(['sh'], { stdin: `echo "${'\n'.repeat(50)}"\n` })).toMatchObject({
    error: 'sh: command too long\n',
  });
});

test('tail holds the end of its input, whatever pieces it comes in', async () => {
  const client = new TestSession();
  const total = 1_400_000;
  async function* bytes() {
    const all = Buffer.alloc(total, 'abcdefg\n');
    for (let at = 0; at < total; at += 7) yield all.subarray(at, at + 7);
    yield Buffer.alloc(200_000, '12345\n');
  }
  expect(await runCommand(processOf(), client.session(['tail', '-n', '33335'], { stdin: bytes() }))).toBe(0);
  expect(client.out).toBe(`${'abcdefg\n'}${'12345\n'.repeat(33_333)}12`);
});

test.each(['__proto__', 'constructor', 'toString'])('test knows no operator %s', async (operator) => {
  expect(await exec(['test', '1', operator, '2'])).toEqual({
    code: 2,
    out: '',
    error: `test: ${operator}: unknown operand\n`,
  });
});

test('an argument is no longer than Linux takes it', async () => {
  const script = (length: number) => `exit 3 #${'x'.repeat(length - 8)}`;
  expect(await sh(script(128 * 1024 - 1))).toMatchObject({ code: 3 });
  await expect(sh(script(128 * 1024))).rejects.toThrow('exec: "sh": argument list too long');
  await expect(exec(['echo', 'ä'.repeat(64 * 1024)])).rejects.toThrow('argument list too long');
});

/** How often other work got a turn meanwhile. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  let turns = 0;
  for (; !isOver; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  await over;
  return turns;
}

const times = (count: number, word: string): string[] => Array.from({ length: count }, () => word);

test.each([
  ['ls', ['-l', ...times(1_000, '/bin')]],
  ['wc', times(15_000, '/etc/passwd')],
  ['cat', times(30_000, '/etc/hostname')],
  ['rm', ['-f', ...times(50_000, '/missing')]],
  ['chmod', ['+x', ...times(100_000, '/bin/ls')]],
])('%s of many files lets others work meanwhile', async (program, args) => {
  expect(await turnsDuring(exec([program, ...args]))).toBeGreaterThan(3);
});

test('substitutions of nothing are counted, and let others work meanwhile', async () => {
  const ran = sh(`: ${'$() '.repeat(12_000)}`);
  expect(await turnsDuring(ran)).toBeGreaterThan(5_000);
  expect(await ran).toMatchObject({ code: 2, error: 'sh: too many commands\n' });
});

test.each([
  ['redirections', (count: number) => `true ${'<$V '.repeat(count)}`],
  ['redirections of a condition', (count: number) => `if true; then true; fi ${'<$V '.repeat(count)}`],
  ['assignments', (count: number) => 'a="$@" '.repeat(count)],
])('many %s of one command let others work meanwhile', async (_what, script) => {
  const env = [{ name: 'V', value: `${'/.'.repeat(2_000)}/etc/hostname` }];
  const run = (count: number) => exec(['sh', '-c', script(count), 'sh', ...times(10_000, 'x')], { container: { env } });
  expect(await run(2)).toMatchObject({ code: 0, error: '' });
  expect(await turnsDuring(run(3_000))).toBeGreaterThan((await turnsDuring(run(2))) + 3);
});

test.each(['\n', '#\n'])('many lines of nothing let others work meanwhile: %j', async (line) => {
  const ran = exec(['sh'], { stdin: `${line.repeat(300_000)}exit 3\n` });
  expect(await turnsDuring(ran)).toBeGreaterThan(5);
  expect(await ran).toMatchObject({ code: 3 });
});

test('a redirection to a name that is too long is refused before it is looked at', async () => {
  const { code, error } = await sh(`${doubled('V', '/.', 14)} true <$V/etc/hostname; echo no >$V/tmp/a || cat <$V`);
  expect(code).toBe(1);
  expect(error.replaceAll(/[/.]{32768}/g, 'V')).toBe(
    [
      "sh: can't open V/etc/hostname: File name too long",
      "sh: can't create V/tmp/a: File name too long",
      "sh: can't open V: File name too long",
      '',
    ].join('\n'),
  );
});

test('a command with many files ends with its client', async () => {
  const client = new TestSession();
  const ran = runCommand(processOf(), client.session(['chmod', '+x', ...times(300_000, '/bin/ls')]));
  client.ending.abort();
  await expect(ran).rejects.toThrow();
});

test('a session ends with its client', async () => {
  const client = new TestSession();
  const running = runCommand(processOf(), client.session(['cat'], { stdin: client.stdin }));
  client.ending.abort(new Error('gone'));
  await expect(running).rejects.toThrow('gone');
});

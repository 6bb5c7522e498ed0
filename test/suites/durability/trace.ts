/** Reads what strace wrote (-f -ttt -y) and returns for each write whether the disk had it before it was answered. */

export interface SystemCall {
  name: string;
  /** The file or pipe of its descriptor. */
  on: string;
  text: string;
  /** Lines of the trace: it began at one and had ended by the other. */
  begun: number;
  ended: number;
  failed: boolean;
}

//   712 1763…6.1 fdatasync(21</data/store.db-wal>) = 0
//   712 1763…6.1 fdatasync(21</data/store.db-wal> <unfinished ...>
//   712 1763…6.2 <... fdatasync resumed>) = 0
const whole = /^(\d+) +[\d.]+ (\w+)\(\d+<([^>]*)>(.*)\) += (-?\d+)/;
const unfinished = /^(\d+) +[\d.]+ (\w+)\(\d+<([^>]*)>(.*) <unfinished \.\.\.>$/;
const resumed = /^(\d+) +[\d.]+ <\.\.\. (\w+) resumed>(.*)\) += (-?\d+)/;

export function readTrace(trace: string): SystemCall[] {
  const calls: SystemCall[] = [];
  const open = new Map<string, Omit<SystemCall, 'ended' | 'failed'>>();
  for (const [line, entry] of trace.split('\n').entries()) {
    const [, thread, name, on, text, result] = whole.exec(entry) ?? [];
    if (thread) {
      calls.push({ name: name!, on: on!, text: text!, begun: line, ended: line, failed: result!.startsWith('-') });
      continue;
    }
    const [, pausing, started, at, head] = unfinished.exec(entry) ?? [];
    if (pausing) {
      open.set(pausing, { name: started!, on: at!, text: head!, begun: line });
      continue;
    }
    const [, goingOn, , tail, outcome] = resumed.exec(entry) ?? [];
    const begun = goingOn === undefined ? undefined : open.get(goingOn);
    if (begun) calls.push({ ...begun, text: begun.text + tail, ended: line, failed: outcome!.startsWith('-') });
  }
  return calls;
}

const isSync = ({ name, on, failed }: SystemCall): boolean =>
  ['fsync', 'fdatasync'].includes(name) && on.endsWith('.db-wal') && !failed;

/** The write reached the process, then its value was written to the log, then the log was synced, then it was answered. */
export function syncedBeforeAnswer(calls: readonly SystemCall[], key: string): boolean {
  const arrival = calls.find(({ name, text }) => name === 'read' && hasLine(text, key));
  const answer = calls.find(({ name, text }) => name.startsWith('write') && hasLine(text, `${key} `));
  if (!arrival || !answer) throw new Error(`${key} is not in the trace`);
  const between = calls.filter(({ begun, ended }) => begun >= arrival.ended && ended < answer.begun);
  const stored = between.find(({ name, text }) => name === 'pwrite64' && text.includes(`<value of ${key}>`));
  return stored !== undefined && between.some((call) => isSync(call) && call.begun > stored.ended);
}

/** In a trace, a line ends with the two characters \n. */
const hasLine = (text: string, line: string): boolean =>
  [`"${line}`, `\\n${line}`].some((start) => {
    const at = text.indexOf(start);
    return at >= 0 && (line.endsWith(' ') || text.startsWith('\\n', at + start.length));
  });

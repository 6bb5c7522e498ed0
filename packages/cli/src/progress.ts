/** Shows the steps of a command as they come: a line each, on standard error, so that output can be piped. */

interface Screen {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** Reports the progress of a step, as in `12 of 50`. */
export type ReportProgress = (soFar: string) => void;

/** In milliseconds: the least time between two progress lines of a long step, where lines cannot be overwritten. */
const between = 5_000;

/** What a warning begins with. */
export const warning = 'Warning: ';

/** Returned by a step that was left out. */
export class Skipped {
  readonly why: string;

  constructor(why: string) {
    this.why = why;
  }
}

export class Progress {
  private readonly screen: Screen;
  private readonly colours: boolean;
  private readonly now: () => number;

  constructor(
    screen: Screen = process.stderr,
    env: Record<string, string | undefined> = process.env,
    now: () => number = performance.now.bind(performance),
  ) {
    this.screen = screen;
    this.now = now;
    this.colours = Boolean(screen.isTTY) && !env.NO_COLOR && env.TERM !== 'dumb';
  }

  /** Runs one step; what it returns is printed after its title. A step that was not carried out has no check mark. */
  async step(title: string, work: (report: ReportProgress) => Promise<string | Skipped | undefined>): Promise<void> {
    const going = `  ${this.paint('2', '…')} ${title}`;
    if (this.screen.isTTY) this.screen.write(going);
    let reported = this.now();
    const report = (soFar: string) => {
      if (this.screen.isTTY) this.screen.write(`\r\x1b[K${going}: ${soFar}`);
      else if (this.now() - reported >= between) {
        reported = this.now();
        this.screen.write(`${going}: ${soFar}\n`);
      }
    };
    try {
      const note = await work(report);
      if (note instanceof Skipped) this.finish(this.paint('33', '!'), `${title}: ${note.why}`);
      else this.finish(this.paint('32', '✓'), note ? `${title}: ${note}` : title);
    } catch (error) {
      this.finish(this.paint('31', '✗'), title);
      throw error;
    }
  }

  /** One of several things that are done at the same time: a line when it is done, or has failed. */
  line(isDone: boolean, text: string): void {
    this.finish(isDone ? this.paint('32', '✓') : this.paint('31', '✗'), text);
  }

  warn(text: string): void {
    this.print(`${warning}${text}`);
  }

  print(text: string): void {
    this.screen.write(`${text}\n`);
  }

  private finish(mark: string, text: string): void {
    this.screen.write(`${this.screen.isTTY ? '\r\x1b[K' : ''}  ${mark} ${text}\n`);
  }

  private paint(code: string, text: string): string {
    return this.colours ? `\x1b[${code}m${text}\x1b[0m` : text;
  }
}

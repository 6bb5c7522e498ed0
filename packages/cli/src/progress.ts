/** Shows the steps of a command as they come: a line each, on standard error, so that output can be piped. */

interface Screen {
  isTTY?: boolean;
  write(text: string): unknown;
}

export class Progress {
  private readonly screen: Screen;
  private readonly colours: boolean;

  constructor(screen: Screen = process.stderr, env: Record<string, string | undefined> = process.env) {
    this.screen = screen;
    this.colours = Boolean(screen.isTTY) && !env.NO_COLOR && env.TERM !== 'dumb';
  }

  /** Runs one step; what it returns is told behind its title. */
  async step(title: string, work: () => Promise<string | undefined>): Promise<void> {
    if (this.screen.isTTY) this.screen.write(`  ${this.paint('2', '…')} ${title}`);
    try {
      const note = await work();
      this.finish(this.paint('32', '✓'), note ? `${title}: ${note}` : title);
    } catch (error) {
      this.finish(this.paint('31', '✗'), title);
      throw error;
    }
  }

  say(text: string): void {
    this.screen.write(`${text}\n`);
  }

  private finish(mark: string, text: string): void {
    this.screen.write(`${this.screen.isTTY ? '\r\x1b[K' : ''}  ${mark} ${text}\n`);
  }

  private paint(code: string, text: string): string {
    return this.colours ? `\x1b[${code}m${text}\x1b[0m` : text;
  }
}

/**
 * A tour in Markdown that can be run: each `sh` block under a heading, with the output that the `text` block right behind
 * it shows. In the output `…` stands for anything, alone on a line for any lines, and spaces for any spaces.
 */

export interface Step {
  commands: string;
  /** Undefined where the tour shows none. */
  shows: string | undefined;
}

const fences = /^```(\w*)\n([\s\S]*?)^```$/gm;

export function readTour(markdown: string, heading: string): Step[] {
  const blocks = [...sectionOf(markdown, heading).matchAll(fences)].map(([, language, text]) => ({ language, text }));
  return blocks.flatMap(({ language, text }, index) => {
    if (language !== 'sh') return [];
    const next = blocks[index + 1];
    return [{ commands: text!, shows: next?.language === 'text' ? next.text : undefined }];
  });
}

export function sectionOf(markdown: string, heading: string): string {
  const start = markdown.indexOf(`\n## ${heading}\n`);
  if (start < 0) throw new Error(`there is no heading "${heading}"`);
  const end = markdown.indexOf('\n## ', start + 1);
  return markdown.slice(start, end < 0 ? undefined : end);
}

/** What the shown output means, as a pattern for the whole of it. */
export function patternOf(shown: string): RegExp {
  const lines = shown.trimEnd().split('\n');
  return new RegExp(`^${lines.map(linePattern).join('')}$`);
}

const linePattern = (line: string): string =>
  line.trim() === '…' ? '(?:.*\\n)*' : `${line.split('…').map(textPattern).join('.*')} *\\n`;

const textPattern = (text: string): string => text.split(/ +/).map(RegExp.escape).join(' +');

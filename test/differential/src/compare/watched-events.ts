/** Of what a watch sent, what both sides must send alike. */

/**
 * Bookmarks come by the clock, but for the one that closes the initial events, and are left out. If one was the first to come
 * it brought the columns of a Table, which are then those of the event behind it.
 */
export function watchedEvents(lines: readonly string[]): string[] {
  let columns: string | undefined;
  const events: string[] = [];
  for (const line of lines) {
    if (isByTheClock(line)) columns ??= columnsIn(line);
    else {
      const brought = columns;
      events.push(brought === undefined ? line : line.replace(noColumns, () => `"columnDefinitions":${brought}`));
      columns = undefined;
    }
  }
  return events;
}

const noColumns = '"columnDefinitions":null';

const isByTheClock = (line: string): boolean =>
  line.includes('"type":"BOOKMARK"') && !line.includes('k8s.io/initial-events-end');

function columnsIn(line: string): string | undefined {
  const { object } = JSON.parse(line) as { object?: { columnDefinitions?: unknown } };
  return object?.columnDefinitions ? JSON.stringify(object.columnDefinitions) : undefined;
}

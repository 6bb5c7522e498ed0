/** What `kubectl get` prints, as rows without the columns of time, of addresses and of nodes' own choices. */

const left = new Set(['AGE', 'DURATION', 'LAST SCHEDULE', 'IP']);

/** Sections are apart by empty lines; each has its header. */
export function tableRows(printed: string): string[] {
  return printed
    .split('\n\n')
    .map((section) => section.split('\n').filter(Boolean))
    .flatMap(([header = '', ...rows]) => {
      const columns = columnsOf(header).filter(({ name }) => !left.has(name));
      const cells = (line: string) => columns.map(({ from, to }) => line.slice(from, to).trim()).join(' | ');
      return [cells(header), ...rows.map(cells)];
    });
}

interface Column {
  name: string;
  from: number;
  to: number | undefined;
}

/** kubectl puts three spaces between columns at least. */
function columnsOf(header: string): Column[] {
  const starts = Array.from(header.matchAll(/\S+(?: \S+)*/g), ({ 0: name, index }) => ({ name, from: index }));
  return starts.map((column, at) => ({ ...column, to: starts[at + 1]?.from }));
}

/** Reads from ginkgo's JSON report how the specs ended. */

export interface Outcome {
  passed: boolean;
  seconds: number;
  /** Why it did not pass. */
  message: string | undefined;
}

interface SpecReport {
  LeafNodeType: string;
  ContainerHierarchyTexts: string[] | null;
  LeafNodeText: string;
  State: string;
  /** Nanoseconds. */
  RunTime: number;
  Failure?: { Message: string };
}

/** A spec that skips itself while it runs is one that did not pass; one that was not selected has no failure. */
const wasRun = ({ State, Failure }: SpecReport): boolean => State !== 'pending' && (State !== 'skipped' || !!Failure);

/** By full name, numbered where specs share one. What is around the specs (`BeforeSuite`) counts when it failed, under its own name. */
export function readReport(json: string): Map<string, Outcome> {
  const reports = JSON.parse(json) as { SpecReports: SpecReport[] | null }[];
  const specs = reports.flatMap(({ SpecReports }) => SpecReports ?? []);
  const finished = specs.filter((spec) => (spec.LeafNodeType === 'It' ? wasRun(spec) : spec.State !== 'passed'));
  const counts = new Map<string, number>();
  return new Map(
    finished.map((spec) => {
      const name = nameOf(spec);
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return [count === 1 ? name : `${name} (${count})`, outcomeOf(spec)];
    }),
  );
}

const nameOf = ({ ContainerHierarchyTexts, LeafNodeText, LeafNodeType }: SpecReport): string =>
  [...(ContainerHierarchyTexts ?? []), LeafNodeText || LeafNodeType].join(' ');

const outcomeOf = ({ State, RunTime, Failure }: SpecReport): Outcome => ({
  passed: State === 'passed',
  seconds: RunTime / 1e9,
  message: State === 'passed' ? undefined : `${State}: ${Failure?.Message ?? 'no message'}`,
});

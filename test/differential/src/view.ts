/**
 * How one side shows the objects of a run: requests are translated on the way out, answers on the way back, so that
 * what is compared is the same on both sides. A view that renames (`x.clusterspace.m1`) is one more implementation.
 */
import type { Answer, Request } from './request.ts';

export interface View {
  out(request: Request): Request;
  back(answer: Answer, request: Request): Answer;
  /** One line of a watch. */
  backEvent(line: string, request: Request): string;
}

/** The API as it is. */
export const plainView: View = {
  out: (request) => request,
  back: (answer) => answer,
  backEvent: (line) => line,
};

/** The body of an answer that is a problem (docs/contract.md#errors). */
import { PROBLEMS, type Problem } from '../contract/problems.ts';

/**
 * The body of a problem, with its fields in the order of docs/contract.md#errors. `origin` is `http://host:port`,
 * with the base path and without a trailing slash.
 */
export function problemBody(problem: Problem, at: { origin: string; instance: string; requestId: string }) {
  const { status, title, retryable } = PROBLEMS[problem.code];
  return {
    type: `${at.origin}/docs/problems/${problem.code}`,
    title,
    status,
    detail: problem.message,
    instance: at.instance,
    message: problem.message,
    requestId: at.requestId,
    code: problem.code,
    retryable,
    ...(problem.extras.errors ? { errors: problem.extras.errors } : {}),
    ...(problem.extras.replacement ? { replacement: problem.extras.replacement } : {}),
  };
}

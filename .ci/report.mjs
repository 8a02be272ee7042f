// Reads the JSON reports of Vitest for `.ci/run`:
//   count FILE…       the last line of a run: how many passed and failed in all
//   failures FILE     each failed test with its place and the first lines of its message
//   files FILE        the files that have a failed test, or did not load, one per line
//   merge FIRST AGAIN one report: the files of AGAIN in place of the same files of FIRST
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const [what, ...names] = process.argv.slice(2);

/** A run that left no report has failed, even if nobody can say how many of its tests. */
function read(name) {
  try {
    return JSON.parse(readFileSync(name, 'utf8'));
  } catch {
    return { testResults: [], numPassedTests: 0, numFailedTests: 1, numFailedTestSuites: 1 };
  }
}

const place = (result) => relative(process.cwd(), result.name);
const failedTests = (result) => result.assertionResults.filter((test) => test.status === 'failed');
const failedFiles = (report) => report.testResults.filter((result) => result.status === 'failed');
// A file that does not load has no tests that could fail.
const failuresOf = (report) =>
  report.numFailedTests === 0 ? report.numFailedTestSuites : report.numFailedTests;

if (what === 'count') {
  const reports = names.map(read);
  const passed = reports.reduce((sum, report) => sum + report.numPassedTests, 0);
  const failed = reports.reduce((sum, report) => sum + failuresOf(report), 0);
  console.log(`tests: ${passed} passed, ${failed} failed`);
} else if (what === 'failures') {
  const failed = failedFiles(read(names[0]));
  if (failed.length === 0) console.log('the run left no report of a failed test: see its own output');
  for (const result of failed) {
    if (result.message) console.log(`${place(result)}: ${result.message.slice(0, 600)}`);
    for (const test of failedTests(result)) {
      const message = (test.failureMessages[0] ?? '').split('\n').slice(0, 12).join('\n  ');
      console.log(`${place(result)} > ${test.fullName}\n  ${message.slice(0, 1200)}`);
    }
  }
} else if (what === 'files') {
  for (const result of failedFiles(read(names[0]))) console.log(place(result));
} else if (what === 'merge') {
  const [first, again] = names.map(read);
  const newer = new Set(again.testResults.map((result) => result.name));
  const testResults = [
    ...first.testResults.filter((result) => !newer.has(result.name)),
    ...again.testResults,
  ];
  const count = (status) =>
    testResults.reduce(
      (sum, result) => sum + result.assertionResults.filter((test) => test.status === status).length,
      0,
    );
  const numFailedTestSuites = testResults.filter((result) => result.status === 'failed').length;
  console.log(
    JSON.stringify({
      testResults,
      numPassedTests: count('passed'),
      numFailedTests: count('failed'),
      numFailedTestSuites,
    }),
  );
} else {
  throw new Error(`${what}: count, failures, files or merge`);
}

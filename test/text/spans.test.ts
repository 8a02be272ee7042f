import { expect, test, vi } from 'vitest';
import { closedSpans, withoutSpans } from '../../src/text/spans.ts';

const TAG = /<(script|style)\b/g;
const closingOf = ({ 1: name = '' }: RegExpExecArray): string => `</${name}>`;

test('what is closed goes, and what nothing closes stays', () => {
  const text = 'a<script>1</script>b<style>2<script>3</script>c<style>d';
  expect(withoutSpans(text, TAG, { closingOf, instead: '-' })).toBe('a-b<style>2-c<style>d');
  expect(closedSpans(text, TAG, closingOf).map(({ start, end }) => text.slice(start, end))).toEqual([
    '<script>1</script>',
    '<script>3</script>',
  ]);
});

test('an opening inside of what is open opens nothing', () => {
  expect(withoutSpans('<script><script></script>x', TAG, { closingOf, instead: '' })).toBe('x');
});

test('a text without such parts is the same text', () => {
  expect(withoutSpans('words', TAG, { closingOf, instead: '' })).toBe('words');
});

test('the rest is read once for each way of closing, however many openings there are', () => {
  const text = `</script>${'<script>'.repeat(1000)}`;
  const looked = vi.spyOn(String.prototype, 'indexOf');
  const spans = closedSpans(text, TAG, closingOf);
  const reads = looked.mock.calls.length;
  looked.mockRestore();
  expect(spans).toEqual([]);
  expect(reads).toBe(1);
});

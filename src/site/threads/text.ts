import { answerTasks } from '../../service/answer-tasks.ts';
import { bodyDraft } from '../text/body-draft.ts';
import type { TextTask } from '../text/body.ts';

answerTasks(async (given) => {
  // Of the type that `createThread` was given beside this module's address.
  const task = given as TextTask;
  if (task.type === 'body') return bodyDraft(task.html);
  const { articleMarkdown } = await import('../text/to-markdown.ts');
  return articleMarkdown(task.article);
});

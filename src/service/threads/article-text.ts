import { answerTasks } from '../answer-tasks.ts';
import { type ArticleTextTask, readArticleText } from '../records/article-text.ts';

// A task is of the type that `createThread` was given beside this module's address.
answerTasks((task) => readArticleText(task as ArticleTextTask));

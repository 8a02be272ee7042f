import { answerTasks } from '../answer-tasks.ts';
import { cleaned } from '../files/drawing.ts';

// A task is of the type that `createThread` was given beside this module's address.
answerTasks((text) => cleaned(text as string));

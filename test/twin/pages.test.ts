import { testHabits } from './support/play.ts';

testHabits('pages', ['author', 'many', 'prune', 'clone', 'hidden']);

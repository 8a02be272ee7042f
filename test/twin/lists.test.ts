import { testHabits } from './support/play.ts';

testHabits('lists', ['many', 'prune', 'clone', 'hidden']);

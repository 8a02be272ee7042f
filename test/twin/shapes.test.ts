import { testHabits } from './support/play.ts';

testHabits('shapes', ['author', 'prune', 'clone']);

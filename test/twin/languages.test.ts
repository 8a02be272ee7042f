import { testHabits } from './support/play.ts';

testHabits('languages', ['translate', 'region', 'prune', 'clone']);

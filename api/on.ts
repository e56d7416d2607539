/** All rules about the records that calls name, so that a row of calls.ts says `on.group('edit')`. */
export * from './accountRecords';
export * from './exportedRecords';
export * from './records';
export * from './serverRecords';

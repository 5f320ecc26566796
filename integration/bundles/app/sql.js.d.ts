/** The part of sql.js that the applications hand to TypeORM, which finds no driver by its name from within webpack's bundle. */
declare module 'sql.js' {
  const start: unknown;
  export default start;
}

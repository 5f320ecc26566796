/** Stands for what `nest new` generates. */
export class AppService {}

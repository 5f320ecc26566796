export function startEmbeddedPostgres(): Promise<{ readonly url: string; stop(): Promise<void> }>;

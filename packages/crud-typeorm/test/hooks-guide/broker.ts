import { Injectable } from '@nestjs/common';

/** Stands for whatever messages are sent by. */
@Injectable()
export class Broker {
  readonly sent: { id: number; topic: string; payload: unknown }[] = [];

  async send(message: { id: number; topic: string; payload: unknown }): Promise<void> {
    this.sent.push(message);
  }
}

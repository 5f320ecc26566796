import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { OutboxMessage } from './outbox.entity.js';
import { Broker } from './broker.js';

@Injectable()
export class OutboxRelay {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly broker: Broker,
  ) {}

  /**
   * Sends what has not been sent, the oldest first.
   * Call it from a timer, too: a process may end before it has sent all.
   */
  async deliver(): Promise<void> {
    const messages = await this.dataSource
      .getRepository(OutboxMessage)
      .find({ order: { id: 'ASC' }, take: 100 });

    for (const { id, topic, payload } of messages) {
      // A process that ends between these lines sends the message again.
      // Receivers recognize it by its id.
      await this.broker.send({ id, topic, payload });
      await this.dataSource.getRepository(OutboxMessage).delete(id);
    }
  }
}

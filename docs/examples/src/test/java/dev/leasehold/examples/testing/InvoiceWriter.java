package dev.leasehold.examples.testing;

import com.mongodb.client.ClientSession;
import dev.leasehold.engine.Lease;
import java.util.function.Supplier;

/** Stores invoices, as long as the lease is held. */
record InvoiceWriter(Supplier<ClientSession> sessions, Invoices invoices) {

    /** The collection, in production. */
    interface Invoices {
        void insert(ClientSession session, String invoice);
    }

    void write(Lease lease, String invoice) {
        try (ClientSession session = sessions.get()) {
            lease.inTransaction(session, in -> {
                invoices.insert(in, invoice);
                return invoice;
            });
        }
    }
}

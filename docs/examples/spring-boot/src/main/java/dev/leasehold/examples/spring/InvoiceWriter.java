package dev.leasehold.examples.spring;

import dev.leasehold.engine.Lease;
import dev.leasehold.spring.GatedTransactions;
import dev.leasehold.spring.LeaderOnly;
import dev.leasehold.spring.LeaseHolder;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Writes the next invoice, again and again, on the process that leads. */
@Component
class InvoiceWriter {

    private final Invoices invoices;
    private final GatedTransactions transactions;
    private final String process;

    InvoiceWriter(Invoices invoices, GatedTransactions transactions, @Value("${process:one}") String process) {
        this.invoices = invoices;
        this.transactions = transactions;
        this.process = process;
    }

    // example:start job
    @Scheduled(fixedDelay = 100)
    @LeaderOnly("invoices")
    void writeNext() {
        Lease lease = LeaseHolder.requireHeld();
        transactions.run(
                lease,
                () -> { // commits only if this process still leads
                    long number = invoices.count() + 1;
                    invoices.save(new Invoice(number, process, lease.token()));
                });
    }
    // example:end job
}

package dev.leasehold.examples.spring;

import dev.leasehold.spring.Leased;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Counts runs, of which there is one on all processes together, however many of them start it at the same time. */
@Component
class InvoiceReport {

    private final MongoTemplate mongo;

    InvoiceReport(MongoTemplate mongo) {
        this.mongo = mongo;
    }

    /**
     * One run.
     *
     * @param id drawn by the database
     * @param invoices how many there were
     */
    record Report(@Id @Nullable String id, long invoices) {}

    // example:start leased
    @Scheduled(fixedDelay = 500)
    @Leased(name = "report", atLeast = "1h", gated = true)
    void report() {
        mongo.insert(new Report(null, mongo.getCollection("invoice").estimatedDocumentCount()));
    }
    // example:end leased
}

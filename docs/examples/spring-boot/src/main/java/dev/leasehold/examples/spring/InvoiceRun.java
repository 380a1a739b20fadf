package dev.leasehold.examples.spring;

import dev.leasehold.spring.LeaseHolder;
import dev.leasehold.spring.Leased;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Notes the run of a night, once, however many processes ask for it each minute. */
@Component
class InvoiceRun {

    private final MongoTemplate mongo;

    InvoiceRun(MongoTemplate mongo) {
        this.mongo = mongo;
    }

    /**
     * One run.
     *
     * @param id drawn by the database
     * @param night whose invoices
     */
    record Run(@Id @Nullable String id, String night) {}

    // example:start once
    @Scheduled(fixedDelay = 60_000)
    @Leased(name = "invoice-run", oncePer = "0 0 3 * * *", zone = "Europe/Berlin")
    void run() {
        String night = LeaseHolder.occurrence().orElseThrow(); // such as 2073-03-03T03:00
        mongo.insert(new Run(null, night));
    }
    // example:end once
}

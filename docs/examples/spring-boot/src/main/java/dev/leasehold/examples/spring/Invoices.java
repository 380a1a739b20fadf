package dev.leasehold.examples.spring;

import org.springframework.data.mongodb.repository.MongoRepository;

/** The collection of invoices. Knows nothing of leases. */
public interface Invoices extends MongoRepository<Invoice, Long> {}

/**
 * What a caller puts into its own MongoDB transaction, so that the transaction commits only if a lease is still held.
 *
 * <p>Needs the MongoDB driver and nothing else.
 */
module dev.leasehold.assertions {
    requires transitive org.mongodb.bson;
    requires transitive org.mongodb.driver.core;
    requires transitive org.mongodb.driver.sync.client;
    requires static org.jspecify;

    exports dev.leasehold.assertions;
}

/**
 * Leases in MongoDB that stay correct when machines disagree about the time.
 *
 * <p>One package is exported; how it works inside may change at any time.
 */
module dev.leasehold.engine {
    requires transitive dev.leasehold.assertions;
    requires transitive org.mongodb.driver.sync.client;
    requires transitive org.mongodb.driver.core;
    requires transitive org.mongodb.bson;
    requires org.slf4j;
    // Not transitive: then a module that requires this one could not be compiled without them.
    requires static micrometer.core;
    requires static org.jspecify;

    exports dev.leasehold.engine;
}

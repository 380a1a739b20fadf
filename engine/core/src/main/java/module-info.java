/**
 * Leases in MongoDB that stay correct when machines disagree about the time.
 *
 * <p>One package is exported; how it works inside may change at any time.
 */
@SuppressWarnings("module") // Those to which something is exported in particular are built after this one.
module dev.leasehold.engine {
    requires transitive dev.leasehold.assertions;
    requires transitive org.mongodb.driver.sync.client;
    requires transitive org.mongodb.driver.core;
    requires transitive org.mongodb.bson;
    requires org.slf4j;
    // Not transitive: then whoever requires this module could not be compiled without them.
    requires static micrometer.core;
    requires static org.jspecify;

    exports dev.leasehold.engine;

    // The test kit runs the engine unmodified in a world of its own, which takes what lies behind the interface.
    exports dev.leasehold.engine.client to
            dev.leasehold.testkit;
    exports dev.leasehold.engine.commit to
            dev.leasehold.testkit;
    exports dev.leasehold.engine.runtime to
            dev.leasehold.simulator.world,
            dev.leasehold.testkit;
    exports dev.leasehold.engine.store to
            dev.leasehold.simulator.world,
            dev.leasehold.testkit;
    exports dev.leasehold.engine.time to
            dev.leasehold.simulator.world,
            dev.leasehold.testkit;
}

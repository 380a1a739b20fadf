/** Requires the engine, and can be compiled and run without Micrometer. */
module dev.leasehold.withoutmicrometer {
    requires dev.leasehold.engine;
    requires static org.jspecify;
}

/** Requires the engine, and can be compiled and run without what is optional there. */
module dev.leasehold.withoutmicrometer {
    requires dev.leasehold.engine;
}

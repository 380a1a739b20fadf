package com.example;

import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.engine.Lease;
import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.spring.Leased;
import dev.leasehold.testkit.TestLeases;

/** Names a class of each module, and has a lease for a moment. */
public final class Consumer {

    private static final Class<?>[] OTHERS = {ReplicaSet.class, Leased.class, LeaseAssertion.class};

    private Consumer() {}

    public static void main(String[] arguments) throws InterruptedException {
        try (TestLeases leases = TestLeases.create();
                Lease lease = leases.engine().tryAcquire("orders").orElseThrow()) {
            System.out.printf("holds %s with token %d, beside %d others%n", lease.name(), lease.token(), OTHERS.length);
        }
    }
}

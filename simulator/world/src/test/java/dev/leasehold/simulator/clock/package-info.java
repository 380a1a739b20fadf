@org.jspecify.annotations.NullMarked
package dev.leasehold.simulator.clock;

@org.jspecify.annotations.NullMarked
package dev.leasehold.simulator.world;

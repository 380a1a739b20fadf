/**
 * Builds an engine out of its settings: opens the partitions, connects the floors below, and is the implementation of the public interface.
 */
@NullMarked
package dev.leasehold.engine.internal.bootstrap;

import org.jspecify.annotations.NullMarked;
